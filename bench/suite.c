// Options, selection, and the run over all cells.
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct options {
    common_options common;
    size_t pairs, steps;
    const char* workloads; // comma-separated beginnings of names, NULL = all
    const char* bodies;    // comma-separated labels, NULL = all
    const char* libraries; // comma-separated beginnings of headings, NULL = all; the first always runs
} options;

// The text of --help, with what the tables of the program have.
static char* make_help(const suite* s) {
    char* text = NULL;
    size_t size;
    FILE* out = open_memstream(&text, &size);
    if (!out) return NULL;
    fprintf(out, "bench/%s: %s, apart beside other libraries\n\n  --workload LIST   ", s->name, s->title);
    for (size_t i = 0; i < s->schedule_count; i++) fprintf(out, " %s", s->schedules[i].name);
    fprintf(out, " (comma-separated; their beginnings will do)\n  --n LIST          ");
    for (size_t i = 0; i < s->figure_count; i++) fprintf(out, " %s", s->figures[i].label);
    fprintf(out, " (comma-separated)\n  --library LIST    ");
    for (size_t i = 0; i < s->library_count; i++) fprintf(out, " %s%s", s->libraries[i]->name, i ? "" : " (always);");
    fprintf(out, " (comma-separated; beginnings)\n" COMMON_HELP);
    fclose(out);
    return text;
}

// 0 to go on, else the exit status plus one.
static int parse(const suite* s, options* o, int argc, char** argv) {
    common_options* common = &o->common;
    const option words[] = {
        COMMON_OPTIONS(common),
        {"--workload", .text = &o->workloads},
        {"--n", .text = &o->bodies},
        {"--library", .text = &o->libraries},
    };
    char* help = make_help(s);
    int stop = help ? options_parse(words, COUNT(words), s->name, help, argc, argv) : 2;
    free(help);
    if (!common->rounds) common->rounds = common->quick ? 3 : 9;
    o->pairs = common->quick ? 32 : 64;
    o->steps = common->quick ? 12 : 25;
    if (s->steps) o->steps = common->quick ? s->steps / 4 : s->steps;
    return stop;
}

// --------------------------------------------------------------------------------------------------------- run ----

static bool selected(const options* o, const schedule* s, const figure* f) {
    return options_list(o->workloads, s->name, false) && options_list(o->bodies, f->label, true) &&
           motion_takes(s->motion, f);
}

// Whether a table has rows.
static bool has_rows(const suite* s, const options* o, const schedule* table) {
    for (size_t j = 0; j < s->figure_count; j++)
        if (selected(o, table, &s->figures[j])) return true;
    return false;
}

static bool any_selected(const suite* s, const options* o) {
    for (size_t i = 0; i < s->schedule_count; i++)
        if (has_rows(s, o, &s->schedules[i])) return true;
    return false;
}

// The first, then the selected ones in their order.
static size_t choose_libraries(const suite* s, const options* o, const bench_library* out[MAX_LIBRARIES]) {
    size_t count = 0;
    for (size_t i = 0; i < s->library_count; i++)
        if (i == 0 ||
            ((!o->common.alone || s->libraries[i]->ours) && options_list(o->libraries, s->libraries[i]->name, false)))
            out[count++] = s->libraries[i];
    return count;
}

static bool run(report* r, const options* o, const schedule* s, const figure* f) {
    workload w;
    cell c = {.workload = s->name, .label = f->label, .group = f->group};
    if (!workload_make(&w, f, s->motion, s->degrees, o->pairs, o->steps, o->common.seed)) return false;
    bool good = run_cell(&w, r->suite->prove, r->libraries, r->count, (int)o->common.rounds, &c) && report_cell(r, &c);
    workload_free(&w);
    return good;
}

static bool run_all(report* r, const options* o) {
    const suite* s = r->suite;
    for (size_t i = 0; i < s->schedule_count; i++) {
        if (!has_rows(s, o, &s->schedules[i])) continue;
        report_heading(r, s->schedules[i].heading);
        for (size_t j = 0; j < s->figure_count; j++)
            if (selected(o, &s->schedules[i], &s->figures[j]) && !run(r, o, &s->schedules[i], &s->figures[j])) {
                fprintf(stderr, "%s: cell %s %s could not be prepared\n", s->name, s->schedules[i].name,
                        s->figures[j].label);
                return false;
            }
    }
    return true;
}

int main(int argc, char** argv) {
    const suite* s = &program;
    options o = {.common = {.seed = 1}};
    int stop = parse(s, &o, argc, argv);
    if (stop) return stop - 1;
    const bench_library* libraries[MAX_LIBRARIES];
    size_t count = choose_libraries(s, &o, libraries);
    report r = {.suite = s, .libraries = libraries, .count = count, .tables = !o.common.csv};
    if (!any_selected(s, &o)) {
        fprintf(stderr, "%s: no such workload or bodies (try --help)\n", s->name);
        return 2;
    }
    if (!options_csv(&o.common, s->name, &r.csv)) return 2;
    report_opening(&r, (int)o.common.rounds, o.common.seed);
    bool good = run_all(&r, &o);
    size_t wrong = report_closing(&r);
    free(r.cells);
    return good && !wrong ? 0 : 1;
}
