// Timing and checking of one cell.
//
// The libraries take turns, one pass over all queries each, so that whatever else the machine does hits all alike; the
// starting place moves on by one every round. The median over the rounds counts.
#include "runner.h"

#include "machine.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

// An answer may be off by this much of the size. FCL's own default tolerance is as large.
#define TOLERANCE 1e-6
// A certified bracket must hold to this much of the size: a hundred times what long double arithmetic loses.
#define BRACKET_SLACK 1e-14

// One library with its own copy of the bodies and poses.
typedef struct contestant {
    const bench_library* library;
    void** shape;
    bench_pose *pose_a, *pose_b;
    bench_memory* memory;
    void* gathered; // all queries, of a library that answers them by one call
    double* answer;
    bracket* proved;
    double ns[MAX_ROUNDS];
    bool ready;
} contestant;

// ------------------------------------------------------------------------------------------------- contestants ----

static void leave(contestant* c, const workload* w) {
    if (c->gathered) c->library->many->discard(c->gathered);
    for (size_t i = 0; c->shape && i < w->body_count; i++)
        if (c->shape[i]) c->library->destroy(c->shape[i]);
    free((void*)c->shape);
    free(c->pose_a);
    free(c->pose_b);
    free(c->memory);
    free(c->answer);
    free(c->proved);
}

// Shapes, poses and memory of one library; ready stays false if it has no such shape. Near ties only apart takes part:
// some of the others hardly end there. So it is with unions.
static bool enter(contestant* c, const bench_library* library, const workload* w) {
    size_t queries = workload_queries(w);
    memset(c, 0, sizeof *c);
    c->library = library;
    c->shape = calloc(w->body_count, sizeof c->shape[0]);
    c->pose_a = aligned_alloc(64, queries * sizeof c->pose_a[0]);
    c->pose_b = aligned_alloc(64, queries * sizeof c->pose_b[0]);
    c->memory = aligned_alloc(64, w->pairs * sizeof c->memory[0]);
    c->answer = calloc(queries, sizeof c->answer[0]);
    c->proved = calloc(queries, sizeof c->proved[0]);
    if (!c->shape || !c->pose_a || !c->pose_b || !c->memory || !c->answer || !c->proved) return false;
    const bench_kind kind_a = w->bodies[w->pair[0][0]].kind, kind_b = w->bodies[w->pair[0][1]].kind;
    const bool others = !w->tied && !is_union(&w->bodies[w->pair[0][0]]);
    c->ready = (library->ours || others) && (!library->takes || library->takes(kind_a, kind_b));
    for (size_t i = 0; c->ready && i < w->body_count; i++) {
        c->shape[i] = library->create(&w->bodies[i]);
        c->ready = c->shape[i] != NULL;
    }
    for (size_t q = 0; q < queries; q++) {
        library->place(&w->pose_a[q], &c->pose_a[q]);
        library->place(&w->pose_b[q], &c->pose_b[q]);
    }
    if (!c->ready || !library->many) return true;
    const bench_list list = {c->shape, (const uint32_t(*)[2])w->pair, w->pairs, queries, c->pose_a, c->pose_b};
    c->gathered = library->many->gather(&list);
    return c->gathered != NULL;
}

// All pairs at one step.
static inline void run_step(contestant* c, const workload* w, size_t step) {
    for (size_t pair = 0; pair < w->pairs; pair++) {
        size_t q = step * w->pairs + pair;
        c->answer[q] = c->library->distance(c->shape[w->pair[pair][0]], &c->pose_a[q], c->shape[w->pair[pair][1]],
                                            &c->pose_b[q], w->tracked ? &c->memory[pair] : NULL);
    }
}

// All queries by one call.
static double run_gathered(contestant* c, const workload* w) {
    const bench_many* many = c->library->many;
    double (*clock)(void) = many->threads ? wall_seconds : clock_seconds, start = clock();
    many->answer(c->gathered);
    return 1e9 * (clock() - start) / (double)(many->times * workload_queries(w));
}

// One pass. The first step of a tracked sequence fills the memories and is not timed.
static double run_pass(contestant* c, const workload* w) {
    if (c->gathered) return run_gathered(c, w);
    size_t first = w->tracked ? 1 : 0;
    memset(c->memory, 0, w->pairs * sizeof c->memory[0]);
    if (w->tracked) run_step(c, w, 0);
    double start = clock_seconds();
    for (size_t step = first; step < w->steps; step++) run_step(c, w, step);
    return 1e9 * (clock_seconds() - start) / (double)(w->pairs * (w->steps - first));
}

static void run_rounds(contestant* c, size_t count, const workload* w, int rounds) {
    for (size_t i = 0; i < count; i++)
        if (c[i].ready) run_pass(&c[i], w);
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++) {
            contestant* turn = &c[(i + (size_t)round) % count];
            if (turn->ready) turn->ns[round] = run_pass(turn, w);
        }
}

// ---------------------------------------------------------------------------------------------------- checking ----

// The brackets of all queries, and which of them fall back, asked again in the order in which they were timed.
static void prove_all(contestant* c, const workload* w, measure* m) {
    if (c->gathered) {
        c->library->many->read(c->gathered, c->answer, c->proved);
        return;
    }
    memset(c->memory, 0, w->pairs * sizeof c->memory[0]);
    for (size_t q = 0; q < workload_queries(w); q++) {
        const uint32_t* pair = w->pair[q % w->pairs];
        const void *a = c->shape[pair[0]], *b = c->shape[pair[1]];
        bench_memory* memory = w->tracked ? &c->memory[q % w->pairs] : NULL;
        if (c->library->falls_back) m->fallbacks += c->library->falls_back(a, &c->pose_a[q], b, &c->pose_b[q], memory);
        c->proved[q] = c->library->ends(a, &c->pose_a[q], b, &c->pose_b[q], memory);
    }
}

// How far off an answer may be. Near a tie it is right if its bracket holds the truth, wide as it may be.
static double tolerance(const workload* w) { return w->tied ? INFINITY : TOLERANCE * w->size; }

static bool proven(bracket truth, const workload* w) { return truth.upper - truth.lower <= tolerance(w); }

// Whether a library's bracket holds the truth. That of a bound may be wide.
static bool holds(const contestant* c, const workload* w, size_t q, bracket truth) {
    bracket own = c->proved[q];
    double slack = BRACKET_SLACK * w->size;
    bool narrow = own.upper - own.lower <= tolerance(w) || c->library->answers == BENCH_BOUND;
    return narrow && own.lower <= truth.upper + slack && own.upper >= truth.lower - slack;
}

// The true distances. Returns how many could not be proved.
static size_t find_truth(const contestant* ours, const workload* w, truth_fn prove, bracket* truth) {
    size_t bad = 0;
    for (size_t q = 0; q < workload_queries(w); q++) {
        const uint32_t* pair = w->pair[q % w->pairs];
        truth[q] = prove(w, q, ours->shape[pair[0]], ours->shape[pair[1]]);
        bad += !proven(truth[q], w);
    }
    return bad;
}

// How far an answer lies outside the truth's bracket, in units of the size; infinite for no answer.
static double error_of(const bench_library* library, double answer, bracket truth, double size) {
    if (isnan(answer)) return INFINITY;
    if (library->answers == BENCH_YES_NO) return (answer > 0) == (truth.lower > 0) ? 0 : INFINITY;
    double outside = fmax(0, fmax(truth.lower - answer, answer - truth.upper));
    return outside / size;
}

// A bound may lie anywhere above the truth.
static bool is_wrong(const bench_library* library, double answer, bracket truth, const workload* w) {
    double most = tolerance(w);
    bool false_contact = answer <= 0 && truth.lower > 0;
    if (library->answers == BENCH_BOUND) return false_contact || !(answer >= truth.lower - most);
    return false_contact || !(error_of(library, answer, truth, w->size) * w->size <= most);
}

static void check(contestant* c, const workload* w, const bracket* truth, measure* m) {
    const bool proves = c->library->ends || c->gathered;
    if (proves) prove_all(c, w, m);
    for (size_t q = 0; q < workload_queries(w); q++) {
        bool timed = !w->tracked || q >= w->pairs;
        if (timed) m->bracket = fmax(m->bracket, (c->proved[q].upper - c->proved[q].lower) / w->size);
        if (!proven(truth[q], w)) continue;
        bool wrong = proves && !holds(c, w, q, truth[q]);
        m->wrong += wrong || (timed && is_wrong(c->library, c->answer[q], truth[q], w));
        double error = timed ? error_of(c->library, c->answer[q], truth[q], w->size) : 0;
        if (isfinite(error)) m->worst_error = fmax(m->worst_error, error);
    }
}

// Of what the clock on the wall says: other programs can only make it more.
static double least(const double* ns, int rounds) {
    double best = INFINITY;
    for (int i = 0; i < rounds; i++) best = fmin(best, ns[i]);
    return best;
}

static bool check_all(contestant* c, size_t count, const workload* w, truth_fn prove, int rounds, cell* out) {
    bracket* truth = calloc(workload_queries(w), sizeof *truth);
    if (!truth || !c[0].ready) {
        free(truth);
        return false;
    }
    out->of[0].wrong = find_truth(&c[0], w, prove, truth);
    for (size_t i = 0; i < count; i++) {
        if (!c[i].ready) continue;
        check(&c[i], w, truth, &out->of[i]);
        out->of[i].ns = c[i].gathered && c[i].library->many->threads ? least(c[i].ns, rounds) : median(c[i].ns, rounds);
        out->of[i].measured = true;
    }
    free(truth);
    return true;
}

bool run_cell(const workload* w, truth_fn prove, const bench_library* const* libraries, size_t count, int rounds,
              cell* out) {
    contestant* c = calloc(count, sizeof *c);
    if (!c) return false;
    bool good = true;
    for (size_t i = 0; i < count; i++) good = enter(&c[i], libraries[i], w) && good;
    out->queries = w->pairs * (w->steps - (w->tracked ? 1 : 0));
    if (good) {
        run_rounds(c, count, w, rounds);
        good = check_all(c, count, w, prove, rounds, out);
    }
    for (size_t i = 0; i < count; i++) leave(&c[i], w);
    free(c);
    return good;
}
