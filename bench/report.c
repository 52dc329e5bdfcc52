// Printing.
#include "report.h"

#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

#define LABEL_COLUMN 15
#define FIRST_COLUMN 19

static int column(const report* r, size_t library) { return library ? r->suite->column : FIRST_COLUMN; }

void report_opening(const report* r, int rounds, uint64_t seed) {
    const char* first = r->libraries[0]->name;
    if (r->csv) fputs("workload,bodies,library,ours,answers,ns,wrong,queries,worst_error,bracket,fallbacks\n", r->csv);
    if (!r->tables) return;
    printf("apart bench/%s: %s, all libraries in turn in one process\n\n", r->suite->name, r->suite->title);
    print_machine();
    printf("settings   seed %llu, processor time, median of %d rounds, errors in units of a body's diameter\n",
           (unsigned long long)seed, rounds);
    for (size_t i = 0; i < r->count; i++)
        printf("%-10s %s %s: %s\n", r->libraries[i]->name, r->libraries[i]->ours ? "apart" : "version",
               r->libraries[i]->version, r->libraries[i]->call);
    printf("\nRead: nanoseconds per query; beside %s's the widest bracket, in units of a body's diameter; x = as many "
           "times\n"
           "%s's; %s\n",
           first, first, r->suite->reading);
}

void report_heading(const report* r, const char* heading) {
    if (!r->tables) return;
    printf("\n%s\n%-*s", heading, LABEL_COLUMN, "n");
    for (size_t i = 0; i < r->count; i++) printf("%-*s", column(r, i), r->libraries[i]->name);
    putchar('\n');
}

static void format_times(char* text, size_t room, double ns, double times, const char* wrong) {
    snprintf(text, room, "%5.0f x%-4.*f%s", ns, times < 9.995 ? 2 : times < 99.95 ? 1 : 0, times, wrong);
}

static void print_row(const report* r, const cell* c) {
    printf("%-*s", LABEL_COLUMN, c->label);
    for (size_t i = 0; i < r->count; i++) {
        const measure* m = &c->of[i];
        char text[64], wrong[24] = "";
        if (m->wrong) snprintf(wrong, sizeof wrong, "!%zu", m->wrong);
        if (!m->measured)
            snprintf(text, sizeof text, "-");
        else if (i == 0)
            snprintf(text, sizeof text, "%6.0f %7.1e%s", m->ns, m->bracket, wrong);
        else
            format_times(text, sizeof text, m->ns, m->ns / c->of[0].ns, wrong);
        printf("%-*s ", column(r, i) - 1, text);
    }
    putchar('\n');
    fflush(stdout);
}

static void write_csv(const report* r, const cell* c) {
    static const char* const answers[] = {"value", "estimate", "bound", "yes-no"};
    for (size_t i = 0; i < r->count; i++) {
        const bench_library* l = r->libraries[i];
        const measure* m = &c->of[i];
        if (m->measured)
            fprintf(r->csv, "%s,%s,%s,%d,%s,%.1f,%zu,%zu,%.3g,%.3g,%zu\n", c->workload, c->label, l->name, l->ours,
                    answers[l->answers], m->ns, m->wrong, c->queries, m->worst_error, m->bracket, m->fallbacks);
    }
    fflush(r->csv);
}

bool report_cell(report* r, const cell* c) {
    if (r->cell_count == r->cell_room) {
        size_t room = 2 * r->cell_room + 16;
        cell* more = realloc(r->cells, room * sizeof *more);
        if (!more) return false;
        r->cells = more;
        r->cell_room = room;
    }
    r->cells[r->cell_count++] = *c;
    if (r->csv) write_csv(r, c);
    if (r->tables) print_row(r, c);
    return true;
}

// --------------------------------------------------------------------------------------------------- closing ----

// One library over all cells.
typedef struct total {
    size_t cells, won, twice, wrong, queries, fallbacks;
    double least, most, worst_error;
} total;

static bool takes(group part, const cell* c) { return part & c->group; }

static total add_up(const report* r, size_t library, group part) {
    total t = {.least = INFINITY};
    for (size_t i = 0; i < r->cell_count; i++) {
        const cell* c = &r->cells[i];
        const measure* m = &c->of[library];
        if (!m->measured || !takes(part, c)) continue;
        double times = m->ns / c->of[0].ns;
        t.cells++;
        t.won += times >= 1;
        t.twice += times >= 2;
        t.wrong += m->wrong;
        t.fallbacks += m->fallbacks;
        t.queries += c->queries;
        t.least = fmin(t.least, times);
        t.most = fmax(t.most, times);
        t.worst_error = fmax(t.worst_error, m->worst_error);
    }
    return t;
}

// The fastest of the others that gives what the first library gives; 0 if there is none.
static size_t fastest_other(const report* r, const cell* c) {
    size_t best = 0;
    for (size_t i = 1; i < r->count; i++)
        if (!r->libraries[i]->ours && r->libraries[i]->answers == BENCH_VALUE && c->of[i].measured &&
            (!best || c->of[i].ns < c->of[best].ns))
            best = i;
    return best;
}

// How many times as fast as the fastest other the first library is; infinite if there is none.
static double lead(const report* r, const cell* c) {
    size_t other = fastest_other(r, c);
    return other ? c->of[other].ns / c->of[0].ns : INFINITY;
}

// Cells in which the first library is at least `factor` times as fast as the fastest other.
static size_t cells_ahead(const report* r, group part, double factor) {
    size_t ahead = 0;
    for (size_t i = 0; i < r->cell_count; i++) ahead += takes(part, &r->cells[i]) && lead(r, &r->cells[i]) >= factor;
    return ahead;
}

static void print_lead(const report* r, const char* what, const cell* c) {
    printf("  %-9s %6.2f in %s %s (%s)\n", what, lead(r, c), c->workload, c->label,
           r->libraries[fastest_other(r, c)]->name);
}

// The extremes of the lead, and every cell in which it is none.
static void print_leads(const report* r, group part) {
    const cell *least = NULL, *most = NULL;
    for (size_t i = 0; i < r->cell_count; i++) {
        const cell* c = &r->cells[i];
        if (!takes(part, c) || !isfinite(lead(r, c))) continue;
        if (!least || lead(r, c) < lead(r, least)) least = c;
        if (!most || lead(r, c) > lead(r, most)) most = c;
    }
    if (!least || !most) return;
    printf("times as fast as %s:\n", r->suite->fastest);
    print_lead(r, "least", least);
    print_lead(r, "most", most);
    for (size_t i = 0; i < r->cell_count; i++)
        if (takes(part, &r->cells[i]) && lead(r, &r->cells[i]) < 1) print_lead(r, "behind", &r->cells[i]);
}

// How often the quick search had to hand over, over all and in the row where it did most.
static void print_fallbacks(const report* r, size_t library) {
    const cell* most = NULL;
    for (size_t i = 0; i < r->cell_count; i++)
        if (!most || r->cells[i].of[library].fallbacks > most->of[library].fallbacks) most = &r->cells[i];
    total t = add_up(r, library, GROUP_ALL);
    printf("%s: the quick search falls back in %zu of %zu queries", r->libraries[library]->name, t.fallbacks,
           t.queries);
    if (t.fallbacks)
        printf("; most in %s %s, %zu of %zu", most->workload, most->label, most->of[library].fallbacks, most->queries);
    putchar('\n');
}

static void print_totals(const report* r) {
    printf("\n%-10s %14s %14s %12s %12s %22s %12s\n", "over all", "not slower", "twice as fast", "least", "most",
           "wrong answers", "worst error");
    for (size_t i = 0; i < r->count; i++) {
        total t = add_up(r, i, GROUP_ALL);
        printf("%-10s %6zu of %-4zu %6zu of %-4zu %11.2fx %11.2fx %9zu of %-9zu %12.2g\n", r->libraries[i]->name, t.won,
               t.cells, t.twice, t.cells, t.least, t.most, t.wrong, t.queries, t.worst_error);
    }
    putchar('\n');
    for (size_t i = 0; i < r->count; i++)
        if (r->libraries[i]->falls_back) print_fallbacks(r, i);
}

// Cells in which one library is not slower than another.
static size_t cells_not_slower(const report* r, group part, size_t library, size_t other) {
    size_t won = 0;
    for (size_t i = 0; i < r->cell_count; i++) {
        const cell* c = &r->cells[i];
        won +=
            takes(part, c) && c->of[library].measured && c->of[other].measured && c->of[library].ns <= c->of[other].ns;
    }
    return won;
}

// A bound of ours beside the others that do not look for the least depth either.
static void print_bounds(const report* r, group part, size_t cells) {
    for (size_t ours = 0; ours < r->count; ours++) {
        if (!r->libraries[ours]->ours || r->libraries[ours]->answers != BENCH_BOUND) continue;
        size_t others = 0;
        for (size_t i = 0; i < r->count; i++) {
            if (r->libraries[i]->answers != BENCH_ESTIMATE) continue;
            if (!others++)
                printf("apart %s, beside those that look for no least depth: not slower than",
                       r->libraries[ours]->name);
            printf("%s %s in %zu", others > 1 ? "," : "", r->libraries[i]->name, cells_not_slower(r, part, ours, i));
        }
        if (others) printf(" of %zu cells\n", cells);
    }
}

static void print_summary(const report* r, group part, const char* name) {
    size_t cells = add_up(r, 0, part).cells, peers = 0;
    if (!cells) return;
    for (size_t i = 1; i < r->count; i++) {
        if (r->libraries[i]->ours) continue;
        total t = add_up(r, i, part);
        if (!peers++) printf("\nsummary, %s: apart %s not slower than", name, r->libraries[0]->name);
        printf("%s %s in %zu", peers > 1 ? "," : "", r->libraries[i]->name, t.won);
    }
    if (!peers) return;
    printf(" of %zu cells; ahead of %s in %zu, twice as fast in %zu\n", cells, r->suite->fastest,
           cells_ahead(r, part, 1), cells_ahead(r, part, 2));
    if (r->suite->show_leads) print_leads(r, part);
    print_bounds(r, part, cells);
}

size_t report_closing(const report* r) {
    size_t wrong = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->libraries[i]->ours) wrong += add_up(r, i, GROUP_ALL).wrong;
    if (r->csv && r->csv != stdout) fclose(r->csv);
    if (!r->tables) return wrong;
    print_totals(r);
    print_summary(r, GROUP_HULLS, "hulls");
    print_summary(r, GROUP_SIMPLE, "boxes, spheres, capsules");
    print_summary(r, GROUP_CURVED, "cylinders, cones, ellipsoids");
    printf("\nwrong answers of apart: %zu\n", wrong);
    return wrong;
}
