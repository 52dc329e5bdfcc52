// What has changed since an earlier run: pairs are new, known or gone. A pair is known by its names; one that has
// become worse, such as near then and overlapping now, is new.
#include "cli.h"
#include "document.h"
#include "file.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

// "a" and "b" are names of any characters: their lengths keep two pairs apart. To be freed.
static char* pair_key(const char* a, const char* b) {
    if (strcmp(a, b) > 0) {
        const char* other = a;
        a = b;
        b = other;
    }
    const size_t size = strlen(a) + strlen(b) + 32;
    char* out = malloc(size);
    if (out) snprintf(out, size, "%zu %s %s", strlen(a), a, b);
    return out;
}

static bool read_class(const node* at, finding_class* out) {
    const char* name = node_text(at);
    if (!name) return false;
    for (int k = 0; k < CLASSES; k++)
        if (!strcmp(name, class_names[k])) {
            *out = (finding_class)k;
            return true;
        }
    return node_fail_unknown(at, "class", name, class_names, CLASSES);
}

// Puts a pair of the earlier run into `known`: key -> its object.
static bool take_pair(const node* at, json_t* known) {
    finding_class class = NEAR_PAIR;
    const node a = node_member(at, "a"), b = node_member(at, "b"), kind = node_member(at, "class");
    if (!json_is_object(at->value)) return node_fail_type(at, "an object");
    if (!a.value || !b.value || !kind.value) return node_fail(at, APART_FILE, "'a', 'b' or 'class' is missing here");
    if (!node_text(&a) || !node_text(&b) || !read_class(&kind, &class)) return false;
    char* key = pair_key(json_string_value(a.value), json_string_value(b.value));
    const bool ok = key && json_object_set_nocheck(known, key, at->value) == 0;
    free(key);
    return ok || node_fail(at, APART_OUT_OF_MEMORY, "out of memory");
}

static bool take_pairs(const document* d, json_t* known) {
    const node root = node_root(d), found = node_member(&root, "found");
    if (!found.value)
        return node_fail(&root, APART_FILE, "no 'found' here; a baseline is what 'apart check --json' wrote");
    if (!node_array(&found, 0)) return false;
    for (size_t i = 0; i < json_array_size(found.value); i++) {
        const node item = node_item(&found, i);
        if (!take_pair(&item, known)) return false;
    }
    return true;
}

static finding_class class_of(const json_t* pair) {
    const char* name = json_string_value(json_object_get(pair, "class"));
    int k = 0;
    while (k < NEAR_PAIR && strcmp(name, class_names[k]) != 0) k++;
    return (finding_class)k;
}

// What is found leaves `known`; what stays there is gone.
static bool tell_apart(report* r, json_t* known) {
    r->new_count = 0;
    for (size_t i = 0; i < r->found.count; i++) {
        finding* f = &r->found.items[i];
        char* key = pair_key(r->scene->bodies[f->a].name, r->scene->bodies[f->b].name);
        if (!key) return false;
        const json_t* before = json_object_get(known, key);
        f->state = before && f->class >= class_of(before) ? STATE_KNOWN : STATE_NEW;
        r->new_count += f->state == STATE_NEW;
        json_object_del(known, key);
        free(key);
    }
    r->gone = json_array();
    const char* name = NULL;
    json_t* pair = NULL;
    bool ok = r->gone;
    json_object_foreach(known, name, pair) {
        json_t* one = json_pack("{s:O, s:O, s:O}", "a", json_object_get(pair, "a"), "b", json_object_get(pair, "b"),
                                "class", json_object_get(pair, "class"));
        ok = ok && json_array_append_new(r->gone, one) == 0;
    }
    return ok;
}

int report_compare(report* r, const char* path) {
    apart_error error = {0};
    const apart_io_options how = {.points = true};
    const char* name = strcmp(path, "-") != 0 ? path : "standard input";
    reader file = {.name = name, .how = &how, .error = &error};
    document d = {.name = name, .error = &error};
    file_bytes content = {0};
    json_t* known = json_object();
    const bool ok =
        file_read(&file, path, &content) && document_parse(&d, content.data, content.size) && take_pairs(&d, known);
    r->has_baseline = true;
    int status = EXIT_SUCCESS;
    if (!ok)
        status = complain("%s", error.message);
    else if (!tell_apart(r, known))
        status = complain("out of memory");
    json_decref(known);
    json_decref(d.root);
    free(content.data);
    return status;
}
