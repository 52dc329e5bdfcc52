// Options, selection, and the run over all cells.
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    bool csv;
    int rounds;
    size_t pairs, steps;
    uint64_t seed;
    const char* workloads; // comma-separated beginnings of names, NULL = all
    const char* bodies;    // comma-separated labels, NULL = all
    const char* libraries; // comma-separated beginnings of headings, NULL = all; the first always runs
} options;

// ----------------------------------------------------------------------------------------------------- options ----

static bool number_option(const char* text, uint64_t most, uint64_t* out) {
    char* end;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > most) return false;
    *out = value;
    return true;
}

static bool value_option(options* o, const char* name, const char* value) {
    uint64_t number = 0;
    if (!value) return false;
    if (!strcmp(name, "--workload"))
        o->workloads = value;
    else if (!strcmp(name, "--n"))
        o->bodies = value;
    else if (!strcmp(name, "--library"))
        o->libraries = value;
    else if (!strcmp(name, "--seed"))
        return number_option(value, UINT64_MAX, &o->seed);
    else if (!strcmp(name, "--rounds") && number_option(value, MAX_ROUNDS, &number) && number)
        o->rounds = (int)number;
    else
        return false;
    return true;
}

// 0 to go on, else the exit status plus one.
static int parse(const suite* s, options* o, int argc, char** argv) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            fputs(s->help, stdout);
            return 1;
        }
        if (!strcmp(argv[i], "--csv"))
            o->csv = true;
        else if (!strcmp(argv[i], "--quick")) {
            o->rounds = 3;
            o->pairs = 32;
            o->steps = 12;
        } else if (value_option(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL))
            i++;
        else {
            fprintf(stderr, "%s: do not understand '%s' (try --help)\n", s->name, argv[i]);
            return 3;
        }
    }
    return 0;
}

// Whether `name` begins with (or, with whole, is) an item of the comma-separated list. No list takes everything.
static bool selected(const char* list, const char* name, bool whole) {
    while (list && *list) {
        size_t length = strcspn(list, ",");
        if (!strncmp(list, name, length) && (!whole || !name[length])) return true;
        list += length + (list[length] == ',');
    }
    return !list;
}

// --------------------------------------------------------------------------------------------------------- run ----

static bool any_selected(const suite* s, const options* o) {
    bool time = false, body = false;
    for (size_t i = 0; i < s->schedule_count; i++) time |= selected(o->workloads, s->schedules[i].name, false);
    for (size_t i = 0; i < s->figure_count; i++) body |= selected(o->bodies, s->figures[i].label, true);
    return time && body;
}

// The first, then the selected ones in their order.
static size_t choose_libraries(const suite* s, const options* o, const bench_library* out[MAX_LIBRARIES]) {
    size_t count = 0;
    for (size_t i = 0; i < s->library_count; i++)
        if (i == 0 || selected(o->libraries, s->libraries[i]->name, false)) out[count++] = s->libraries[i];
    return count;
}

static bool run(report* r, const options* o, const schedule* s, const figure* f) {
    workload w;
    cell c = {.workload = s->name, .label = f->label, .extra = f->extra};
    if (!workload_make(&w, f, s->motion, s->degrees, o->pairs, o->steps, o->seed)) return false;
    bool good = run_cell(&w, r->suite->prove, r->libraries, r->count, o->rounds, &c) && report_cell(r, &c);
    workload_free(&w);
    return good;
}

static bool run_all(report* r, const options* o) {
    const suite* s = r->suite;
    for (size_t i = 0; i < s->schedule_count; i++) {
        if (!selected(o->workloads, s->schedules[i].name, false)) continue;
        report_heading(r, s->schedules[i].heading);
        for (size_t j = 0; j < s->figure_count; j++)
            if (selected(o->bodies, s->figures[j].label, true) && !run(r, o, &s->schedules[i], &s->figures[j])) {
                fprintf(stderr, "%s: cell %s %s could not be prepared\n", s->name, s->schedules[i].name,
                        s->figures[j].label);
                return false;
            }
    }
    return true;
}

int main(int argc, char** argv) {
    const suite* s = &program;
    options o = {.rounds = 9, .pairs = 64, .steps = 25, .seed = 1};
    int stop = parse(s, &o, argc, argv);
    if (stop) return stop - 1;
    const bench_library* libraries[MAX_LIBRARIES];
    size_t count = choose_libraries(s, &o, libraries);
    report r = {.suite = s, .libraries = libraries, .count = count, .csv = o.csv};
    if (!any_selected(s, &o)) {
        fprintf(stderr, "%s: no such workload or bodies (try --help)\n", s->name);
        return 2;
    }
    report_opening(&r, o.rounds, o.seed);
    bool good = run_all(&r, &o);
    size_t wrong = report_closing(&r);
    free(r.cells);
    return good && !wrong ? 0 : 1;
}
