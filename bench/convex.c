// bench/convex: apart beside FCL, Bullet and libccd on pairs of convex bodies, in one interleaved run.
//
// Workloads: cold (unrelated poses, a gap of about one diameter), tracked (Cameron 1997, Fig. 5: 0, 6 and 12 degrees a
// step), near contact (a gap of 1e-6 of the size). Bodies: hulls of 8 to 1000 vertices; boxes, spheres and capsules in
// each library's own type. Shapes and poses are prepared outside the timing.
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_library* const LIBRARIES[] = {
    &bench_apart_auto,  &bench_apart_gjk,  &bench_apart_enhanced, &bench_apart_features,
#ifdef BENCH_FCL
    &bench_fcl_libccd,  &bench_fcl_own,
#endif
#ifdef BENCH_BULLET
    &bench_bullet_pair, &bench_bullet_epa,
#endif
#ifdef BENCH_CCD
    &bench_libccd,
#endif
};
#define LIBRARY_COUNT (sizeof LIBRARIES / sizeof LIBRARIES[0])
_Static_assert(LIBRARY_COUNT <= MAX_LIBRARIES, "all libraries fit in a cell");

static const figure FIGURES[] = {
    {"8", BENCH_HULL, 8},     {"10", BENCH_HULL, 10},      {"20", BENCH_HULL, 20},        {"50", BENCH_HULL, 50},
    {"100", BENCH_HULL, 100}, {"200", BENCH_HULL, 200},    {"500", BENCH_HULL, 500},      {"1000", BENCH_HULL, 1000},
    {"box", BENCH_BOX, 0},    {"sphere", BENCH_SPHERE, 0}, {"capsule", BENCH_CAPSULE, 0},
};
#define FIGURE_COUNT (sizeof FIGURES / sizeof FIGURES[0])

typedef struct schedule {
    const char *name, *heading;
    motion motion;
    double degrees;
} schedule;

static const schedule SCHEDULES[] = {
    {"cold", "cold: unrelated poses, gap about one diameter", MOTION_COLD, 0},
    {"tracked-0", "tracked: 1 % of the diameter a step, no turn", MOTION_TRACKED, 0},
    {"tracked-6", "tracked: 1 % of the diameter and 6 degrees a step", MOTION_TRACKED, 6},
    {"tracked-12", "tracked: 1 % of the diameter and 12 degrees a step", MOTION_TRACKED, 12},
    {"near", "near contact: unrelated poses, gap 1e-6 of the diameter", MOTION_NEAR, 0},
};
#define SCHEDULE_COUNT (sizeof SCHEDULES / sizeof SCHEDULES[0])

typedef struct options {
    bool csv;
    int rounds;
    size_t pairs, steps;
    uint64_t seed;
    const char* workloads; // comma-separated beginnings of names, NULL = all
    const char* bodies;    // comma-separated labels, NULL = all
    const char* libraries; // comma-separated beginnings of headings, NULL = all; AUTO always runs
} options;

static const char HELP[] =
    "bench/convex: apart beside other libraries on pairs of convex bodies\n"
    "\n"
    "  --quick            few pairs and rounds: some seconds\n"
    "  --csv              one line per cell and library\n"
    "  --workload LIST    cold, tracked, tracked-0, tracked-6, tracked-12, near (comma-separated)\n"
    "  --n LIST           8,10,20,50,100,200,500,1000,box,sphere,capsule (comma-separated)\n"
    "  --library LIST     AUTO and these: GJK, ENHANCED, FEATURES, FCL, Bullet, GjkEpa2, libccd (comma-separated)\n"
    "  --rounds N         1 to 99, default 9\n"
    "  --seed N           default 1\n"
    "\n"
    "Exit status 1 if an answer of apart is wrong, 2 if the arguments are.\n";

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
static int parse(options* o, int argc, char** argv) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            fputs(HELP, stdout);
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
            fprintf(stderr, "convex: do not understand '%s' (try --help)\n", argv[i]);
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

static bool any_selected(const options* o) {
    bool time = false, body = false;
    for (size_t i = 0; i < SCHEDULE_COUNT; i++) time |= selected(o->workloads, SCHEDULES[i].name, false);
    for (size_t i = 0; i < FIGURE_COUNT; i++) body |= selected(o->bodies, FIGURES[i].label, true);
    return time && body;
}

// AUTO, then the selected ones in their order.
static size_t choose_libraries(const options* o, const bench_library* out[LIBRARY_COUNT]) {
    size_t count = 0;
    for (size_t i = 0; i < LIBRARY_COUNT; i++)
        if (i == 0 || selected(o->libraries, LIBRARIES[i]->name, false)) out[count++] = LIBRARIES[i];
    return count;
}

static bool run(report* r, const options* o, const schedule* s, const figure* f) {
    workload w;
    cell c = {.workload = s->name, .label = f->label, .extra = f->kind != BENCH_HULL};
    if (!workload_make(&w, f, s->motion, s->degrees, o->pairs, o->steps, o->seed)) return false;
    bool good = run_cell(&w, r->libraries, r->count, o->rounds, &c) && report_cell(r, &c);
    workload_free(&w);
    return good;
}

static bool run_all(report* r, const options* o) {
    for (size_t i = 0; i < SCHEDULE_COUNT; i++) {
        if (!selected(o->workloads, SCHEDULES[i].name, false)) continue;
        report_heading(r, SCHEDULES[i].heading);
        for (size_t j = 0; j < FIGURE_COUNT; j++)
            if (selected(o->bodies, FIGURES[j].label, true) && !run(r, o, &SCHEDULES[i], &FIGURES[j])) {
                fprintf(stderr, "convex: cell %s %s could not be prepared\n", SCHEDULES[i].name, FIGURES[j].label);
                return false;
            }
    }
    return true;
}

int main(int argc, char** argv) {
    options o = {.rounds = 9, .pairs = 64, .steps = 25, .seed = 1};
    int stop = parse(&o, argc, argv);
    if (stop) return stop - 1;
    const bench_library* libraries[LIBRARY_COUNT];
    size_t count = choose_libraries(&o, libraries);
    report r = {.libraries = libraries, .count = count, .csv = o.csv};
    if (!any_selected(&o)) {
        fputs("convex: no such workload or bodies (try --help)\n", stderr);
        return 2;
    }
    report_opening(&r, o.rounds, o.seed);
    bool good = run_all(&r, &o);
    size_t wrong = report_closing(&r);
    free(r.cells);
    return good && !wrong ? 0 : 1;
}
