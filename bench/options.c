// The command line of a benchmark.
#include "options.h"

#include <stdlib.h>
#include <string.h>

static bool read_number(const option* o, const char* text) {
    char* end;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value < o->least || value > o->most) return false;
    *o->number = value;
    return true;
}

// How many words were used; 0 if the first is not understood.
static int take(const option* table, size_t count, char** words, int left) {
    for (size_t i = 0; i < count; i++) {
        const option* o = &table[i];
        if (strcmp(words[0], o->name) != 0) continue;
        if (o->flag) *o->flag = true;
        if (o->flag) return 1;
        if (left < 2 || (o->number && !read_number(o, words[1]))) return 0;
        if (o->text) *o->text = words[1];
        return 2;
    }
    return 0;
}

int options_parse(const option* table, size_t count, const char* program, const char* help, int argc, char** argv) {
    for (int i = 1, used; i < argc; i += used) {
        if (!strcmp(argv[i], "--help")) {
            fputs(help, stdout);
            return 1;
        }
        used = take(table, count, argv + i, argc - i);
        if (used == 0) {
            fprintf(stderr, "%s: do not understand '%s' (try --help)\n", program, argv[i]);
            return 3;
        }
    }
    return 0;
}

bool options_csv(const common_options* o, const char* program, FILE** csv) {
    *csv = o->csv ? stdout : NULL;
    if (!o->save) return true;
    *csv = fopen(o->save, "w");
    if (!*csv) fprintf(stderr, "%s: cannot write %s\n", program, o->save);
    return *csv != NULL;
}

bool options_list(const char* list, const char* name, bool whole) {
    while (list && *list) {
        size_t length = strcspn(list, ",");
        if (!strncmp(list, name, length) && (!whole || !name[length])) return true;
        list += length + (list[length] == ',');
    }
    return !list;
}
