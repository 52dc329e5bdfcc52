// Where results go, and what queries cost.
#include "lab.h"

#include "../machine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------- results ----

#define NAME 64

typedef struct golden_count {
    char name[NAME];
    uint64_t value;
} golden_count;

typedef struct finding {
    const char *figure, *paper;
    char ours[128];
    bool same;
} finding;

static FILE* open_file(lab* l, const char* name) {
    char path[1024];
    if (!l->folder) return NULL;
    snprintf(path, sizeof path, "%s/%s", l->folder, name);
    FILE* f = fopen(path, "w");
    if (!f) perror(path);
    l->good = l->good && f;
    return f;
}

FILE* lab_csv(lab* l, const char* name, const char* columns) {
    char file[NAME + 8];
    snprintf(file, sizeof file, "%s.csv", name);
    FILE* csv = open_file(l, file);
    csv_row(csv, "%s", columns);
    return csv;
}

void csv_row(FILE* csv, const char* format, ...) {
    if (!csv) return;
    va_list list;
    va_start(list, format);
    vfprintf(csv, format, list);
    va_end(list);
    fputc('\n', csv);
}

void csv_close(FILE* csv) {
    if (csv && fclose(csv)) perror("papers");
}

// Room for one more element of an array that grows; NULL when out of memory.
static void* next_of(void** array, size_t* used, size_t* room, size_t size) {
    if (*used == *room) {
        size_t more = *room ? 2 * *room : 64;
        void* grown = realloc(*array, more * size);
        if (!grown) return NULL;
        *array = grown;
        *room = more;
    }
    return (char*)*array + (*used)++ * size;
}

void lab_count(lab* l, uint64_t value, const char* name, ...) {
    golden_count* c = next_of((void**)&l->counts, &l->count_count, &l->count_room, sizeof *c);
    l->good = l->good && c;
    if (!c) return;
    va_list list;
    va_start(list, name);
    vsnprintf(c->name, sizeof c->name, name, list);
    va_end(list);
    c->value = value;
}

void lab_find(lab* l, const char* figure, const char* paper, bool same, const char* ours, ...) {
    finding* f = next_of((void**)&l->findings, &l->finding_count, &l->finding_room, sizeof *f);
    l->good = l->good && f;
    if (!f) return;
    *f = (finding){.figure = figure, .paper = paper, .same = same};
    va_list list;
    va_start(list, ours);
    vsnprintf(f->ours, sizeof f->ours, ours, list);
    va_end(list);
}

void lab_demand(lab* l, bool right, const char* what) {
    if (!right) fprintf(stderr, "papers: wrong: %s\n", what);
    l->good = l->good && right;
}

void lab_progress(const lab* l, const char* what, double done) {
    if (!l->terminal) return;
    if (done < 1)
        fprintf(stderr, "\r%-40s %3.0f %%", what, 100 * done);
    else
        fprintf(stderr, "\r%-48s\r", "");
}

static const golden_count* count_named(const lab* l, const char* name) {
    for (size_t i = 0; i < l->count_count; i++)
        if (strcmp(l->counts[i].name, name) == 0) return &l->counts[i];
    return NULL;
}

bool lab_check_counts(const lab* l, const char* golden, bool all) {
    FILE* f = fopen(golden, "r");
    if (!f) perror(golden);
    if (!f) return false;
    char name[NAME], line[256];
    unsigned long long value;
    size_t known = 0, wrong = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%63[^,],%llu", name, &value) != 2) continue;
        const golden_count* c = count_named(l, name);
        known += c != NULL;
        bool right = c ? c->value == value : !all;
        wrong += !right;
        if (!right && c) fprintf(stderr, "count %s: %llu, was %llu\n", name, (unsigned long long)c->value, value);
        if (!right && !c) fprintf(stderr, "count %s: missing, was %llu\n", name, value);
    }
    fclose(f);
    if (known < l->count_count) fprintf(stderr, "%zu counts are not in %s\n", l->count_count - known, golden);
    bool good = wrong == 0 && known == l->count_count;
    if (good) printf("\n%zu counts are what they were\n", known);
    return good;
}

bool lab_write_counts(const lab* l, FILE* out) {
    for (size_t i = 0; i < l->count_count; i++)
        fprintf(out, "%s,%llu\n", l->counts[i].name, (unsigned long long)l->counts[i].value);
    return !ferror(out);
}

void lab_summary(lab* l) {
    FILE *csv = lab_csv(l, "summary", "figure;paper;ours;same trend"), *counts = open_file(l, "counts.csv");
    printf("%-52s %-30s %-40s %s\n", "figure", "paper", "ours", "same trend");
    for (size_t i = 0; i < l->finding_count; i++) {
        const finding* f = &l->findings[i];
        const char* same = f->same ? "yes" : "no";
        printf("%-52s %-30s %-40s %s\n", f->figure, f->paper, f->ours, same);
        csv_row(csv, "%s;%s;%s;%s", f->figure, f->paper, f->ours, same);
    }
    csv_close(csv);
    if (counts) l->good = lab_write_counts(l, counts) && l->good;
    csv_close(counts);
}

void lab_free(lab* l) {
    free(l->counts);
    free(l->findings);
}

// ------------------------------------------------------------------------------------------------------- queries ----

static double run_once(const course* c, const apart_query* query, apart_result* results, size_t stride) {
    apart_cache cache = {0};
    double start = clock_seconds();
    for (size_t i = 0; i < c->count; i++) {
        if (c->sequence && i % c->sequence == 0) cache = (apart_cache){0};
        apart_result* result = &results[i * stride];
        if (apart_distance(c->a, &c->pose_a[i], c->b, &c->pose_b[i], query, c->sequence ? &cache : NULL, result))
            result->iterations = -1;
    }
    return 1e9 * (clock_seconds() - start) / (double)c->count;
}

static void count_result(tally* t, const apart_result* r) {
    t->queries++;
    t->iterations += (uint64_t)r->iterations;
    t->supports += (uint64_t)r->supports;
    t->visits += (uint64_t)r->visits;
    t->widest = fmax(t->widest, r->upper_bound - r->lower_bound);
    if (r->iterations < t->fewest) t->fewest = r->iterations;
    if (r->iterations > t->most) t->most = r->iterations;
    t->overlaps += r->upper_bound == 0;
}

tally course_run(const lab* l, const course* c, apart_method method, apart_result* results) {
    apart_query query = apart_query_default();
    query.method = method;
    apart_result* all = results ? results : malloc(c->count * sizeof *all);
    if (!all) return (tally){.failures = c->count};
    double best = INFINITY;
    run_once(c, &query, all, 1);
    for (int round = 0; round < l->rounds; round++) {
        apart_result scratch;
        best = fmin(best, run_once(c, &query, &scratch, 0));
    }
    tally t = {.fewest = INT32_MAX, .ns = l->rounds ? best : NAN};
    for (size_t i = 0; i < c->count; i++) {
        if (all[i].iterations < 0)
            t.failures++;
        else
            count_result(&t, &all[i]);
    }
    if (!results) free(all);
    return t;
}

tally tally_add(tally a, tally b) {
    if (!a.queries) return b;
    uint64_t n = a.queries + b.queries;
    tally t = {.queries = n,
               .ns = ((double)a.queries * a.ns + (double)b.queries * b.ns) / (double)n,
               .iterations = a.iterations + b.iterations,
               .supports = a.supports + b.supports,
               .visits = a.visits + b.visits,
               .widest = fmax(a.widest, b.widest),
               .fewest = a.fewest < b.fewest ? a.fewest : b.fewest,
               .most = a.most > b.most ? a.most : b.most,
               .overlaps = a.overlaps + b.overlaps,
               .failures = a.failures + b.failures};
    return t;
}

bool course_allocate(course* c, size_t count) {
    c->count = count;
    c->pose_a = malloc(count * sizeof c->pose_a[0]);
    c->pose_b = malloc(count * sizeof c->pose_b[0]);
    if (c->pose_a && c->pose_b) return true;
    course_free(c);
    return false;
}

void course_free(course* c) {
    free(c->pose_a);
    free(c->pose_b);
    c->pose_a = c->pose_b = NULL;
}

// -------------------------------------------------------------------------------------------------------- bodies ----

apart_shape* random_hull(size_t n, rng* r) {
    apart_vec3* points = malloc(n * sizeof *points);
    if (!points) return NULL;
    for (size_t i = 0; i < n; i++) points[i] = rng_unit_vector(r);
    apart_shape* shape = apart_shape_points(points, n, 0, NULL);
    free(points);
    return shape;
}

apart_shape* box_of_points(apart_vec3 lower, apart_vec3 upper) {
    apart_vec3 p[8];
    for (int i = 0; i < 8; i++)
        p[i] = (apart_vec3){i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z};
    return apart_shape_points(p, 8, 0, NULL);
}
