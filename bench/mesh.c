// bench/mesh: apart beside FCL on triangle meshes, in one interleaved run.
//
// Workloads: chess (one piece against five others, as in Quinlan 1994), two copies of a knot or of a bumpy ball near,
// mid and far, many small steps of the same, and the building of the trees. Shapes and poses are prepared outside the
// timing.
#include "allocation_count.h"
#include "base/vec.h"
#include "contest.h"
#include "machine.h"
#include "options.h"
#include "random.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How far a copy is pushed in at a time until the two cross, in parts of the size.
#define PUSH 0.02
#define DEGREE (3.14159265358979323846 / 180)

// How many times as fast as FCL an exact query should be, and one that may err by 20 % than an exact one.
#define GOAL 5.0
#define ROUGH_GOAL 20.0
#define ROUGH 0.2

static const mesh_library* const LIBRARIES[] = {
    &mesh_apart,
#ifdef BENCH_FCL
    &mesh_fcl_rss,
    &mesh_fcl_obbrss,
#endif
};
#define MAX_LIBRARIES 3

// Fewer poses where a query takes longer.
static const struct scale {
    const char* label;
    size_t triangles, poses;
} SCALES[] = {{"2k", 2000, 64}, {"20k", 20000, 48}, {"200k", 200000, 32}, {"1M", 1000000, 24}};

static const struct gap {
    const char* label;
    double of_size;
} GAPS[] = {{"near", 0.01}, {"mid", 0.5}, {"far", 3}};

static const struct kind {
    const char* name;
    surface_fn make;
} KINDS[] = {{"knot", surface_knot}, {"blob", surface_blob}};

static const char* const PIECES[] = {"king", "queen", "bishop", "knight", "rook", "pawn"};
#define PIECE_COUNT 6
#define BOARD 500.0

// A step of the sequences: the second body goes around the first and turns about itself.
#define STEPS 1000
#define ORBIT (360.0 / STEPS)
#define SPIN 1.0
// FCL answers every so manyth of them: it remembers nothing, so that is as good as all.
#define STEP_STRIDE 10

typedef struct options {
    common_options common;
    const char *only, *sizes; // comma-separated, NULL = all
} options;

// What is printed at the end.
typedef struct tally {
    bool tables;               // printed to standard output
    FILE* csv;                 // one line per cell and library; NULL = none
    const char* part;          // chess or the kind of surface
    size_t cells, fast;        // exact ones with FCL beside them, and those that reach the goal
    size_t asked[2], wrong[2]; // apart, FCL
    double worst[2];
    size_t brute;    // queries compared with brute force
    double rough[2]; // exact over 20 % on chess: one by one, union
    char* build;     // the table of trees
    size_t build_size;
    FILE* build_table;
} tally;

static const char HELP[] = "bench/mesh: distance of triangle meshes, apart beside FCL\n"
                           "\n"
                           "  --only LIST        chess, knot, blob, track, build (comma-separated)\n"
                           "  --size LIST        2k,20k,200k,1M (comma-separated)\n" COMMON_HELP;

// ----------------------------------------------------------------------------------------------------- options ----

static bool listed(const char* list, const char* name) { return options_list(list, name, true); }

// 0 to go on, else the exit status plus one.
static int parse(options* o, int argc, char** argv) {
    common_options* common = &o->common;
    const option words[] = {COMMON_OPTIONS(common), {"--only", .text = &o->only}, {"--size", .text = &o->sizes}};
    int stop = options_parse(words, COUNT(words), "mesh", HELP, argc, argv);
    if (!o->common.rounds) o->common.rounds = o->common.quick ? 3 : 7;
    return stop;
}

// Whether the lists name anything.
static bool any_selected(const options* o) {
    bool part = listed(o->only, "chess") || listed(o->only, "track") || listed(o->only, "build"), size = false;
    for (size_t i = 0; i < COUNT(KINDS); i++) part |= listed(o->only, KINDS[i].name);
    for (size_t i = 0; i < COUNT(SCALES); i++) size |= listed(o->sizes, SCALES[i].label);
    return part && size;
}

static size_t library_count(const options* o) { return o->common.alone ? 1 : COUNT(LIBRARIES); }

static bool scale_selected(const options* o, const struct scale* s) {
    return o->sizes ? listed(o->sizes, s->label) : !o->common.quick || s->triangles <= 20000;
}

// ------------------------------------------------------------------------------------------------------ bodies ----

// The bodies of one contest, in every library's own type.
typedef struct stage {
    surface surfaces[PIECE_COUNT];
    size_t count, libraries;
    void* shapes[MAX_LIBRARIES][PIECE_COUNT];
    double seconds[MAX_LIBRARIES], heap[MAX_LIBRARIES]; // to build the first one
} stage;

static double heap_bytes(void) {
    struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

// Builds the shape of a surface; the least time of up to `repeats`, if they take no more than two seconds together.
static bool build(stage* s, size_t library, size_t body, int repeats) {
    const mesh_library* l = LIBRARIES[library];
    double total = 0, least = INFINITY;
    for (int i = 0; i < repeats && total < 2; i++) {
        if (i) l->destroy(s->shapes[library][body]);
        double before = heap_bytes(), start = clock_seconds();
        s->shapes[library][body] = l->create(&s->surfaces[body]);
        double seconds = clock_seconds() - start;
        if (!s->shapes[library][body]) {
            fprintf(stderr, "mesh: %s cannot build its shape\n", l->name);
            return false;
        }
        s->heap[library] = heap_bytes() - before;
        total += seconds;
        least = fmin(least, seconds);
    }
    s->seconds[library] = least;
    return true;
}

static bool build_all(stage* s, int repeats) {
    for (size_t library = 0; library < s->libraries; library++)
        for (size_t body = 0; body < s->count; body++)
            if (!build(s, library, body, repeats)) return false;
    return true;
}

static void stage_free(stage* s) {
    for (size_t body = 0; body < s->count; body++) {
        for (size_t library = 0; library < s->libraries; library++)
            if (s->shapes[library][body]) LIBRARIES[library]->destroy(s->shapes[library][body]);
        surface_free(&s->surfaces[body]);
    }
}

static contest new_contest(const stage* s, const options* o, const mesh_query* queries, size_t count) {
    return (contest){
        .surfaces = s->surfaces, .queries = queries, .query_count = count, .rounds = (int)o->common.rounds};
}

static contestant* add(contest* c, stage* s, size_t library, mesh_mode mode) {
    contestant* k = &c->of[c->count++];
    *k = (contestant){.library = LIBRARIES[library], .shapes = s->shapes[library], .mode = mode, .stride = 1};
    return k;
}

// Pairs of triangles up to which brute force is the truth.
#define BRUTE_LIMIT 1e7

static bool small(const surface* s) { return (double)s->triangle_count * (double)s->triangle_count <= BRUTE_LIMIT; }

// -------------------------------------------------------------------------------------------------------- rows ----

static const char ROW[] = "%-22s %10s %9s %9s %12s %12s%s\n";

static void print_heading(tally* t, const char* part, const char* text) {
    t->part = part;
    if (!t->tables) return;
    printf("\n%s\n", text);
    printf(ROW, "", "apart us", "nodes", "pairs", "RSS us", "OBBRSS us", "   FCL / apart");
}

typedef struct text {
    char s[64];
} text;

static text time_text(const contestant* k) {
    text t = {"-"};
    if (k && k->wrong)
        snprintf(t.s, sizeof t.s, "%.1f!%zu", k->us, k->wrong);
    else if (k)
        snprintf(t.s, sizeof t.s, "%.1f", k->us);
    return t;
}

static text count_text(double number) {
    text t;
    snprintf(t.s, sizeof t.s, "%.1f", number);
    return t;
}

static void count_answers(tally* t, const contestant* k) {
    int side = k->library->ours ? 0 : 1;
    t->asked[side] += k->asked;
    t->wrong[side] += k->wrong;
    t->worst[side] = fmax(t->worst[side], k->worst_error);
}

static void write_csv(const tally* t, const char* label, const contestant* k) {
    if (!t->csv || !k) return;
    fprintf(t->csv, "%s,\"%s\",%s,%d,value,%.1f,%zu,%zu,%.3g,%.3g\n", t->part, label, k->library->name,
            k->library->ours, 1e3 * k->us, k->wrong, k->asked, k->worst_error, k->bracket);
    fflush(t->csv);
}

// One line: apart's contestant, then FCL's two, NULL where there is none. Exact cells count towards the goal.
static void print_row(tally* t, const char* label, const contestant* ours, const contestant* rss,
                      const contestant* obbrss) {
    write_csv(t, label, ours);
    write_csv(t, label, rss);
    write_csv(t, label, obbrss);
    text ratio = {""};
    if (obbrss) {
        double times = (rss ? fmin(rss->us, obbrss->us) : obbrss->us) / ours->us;
        bool exact = ours->mode.relative_error == 0 && !ours->mode.yes_no, fast = times >= GOAL;
        t->cells += exact;
        t->fast += exact && fast;
        snprintf(ratio.s, sizeof ratio.s, "   x%.1f%s", times, fast || !exact ? "" : "  below 5");
    }
    if (!t->tables) return;
    printf(ROW, label, time_text(ours).s, count_text(ours->visits).s, count_text(ours->pairs).s, time_text(rss).s,
           time_text(obbrss).s, ratio.s);
    fflush(stdout);
}

// ------------------------------------------------------------------------------------------------------- chess ----

// All six pieces anywhere in the cube; one of them, in turn, is asked about.
static void place_chess(mesh_query* queries, size_t count, rng* r) {
    for (size_t i = 0; i < count; i++) {
        mesh_query* q = &queries[i];
        *q = (mesh_query){.a = (uint32_t)(i % PIECE_COUNT), .pose_a = rng_pose(r, rng_in_cube(r, BOARD / 2))};
        for (uint32_t piece = 0; piece < PIECE_COUNT; piece++) {
            if (piece == q->a) continue;
            q->b[q->count] = piece;
            q->pose_b[q->count++] = rng_pose(r, rng_in_cube(r, BOARD / 2));
        }
    }
}

static bool load_pieces(stage* s) {
    for (; s->count < PIECE_COUNT; s->count++) {
        char path[1024];
        apart_error error;
        snprintf(path, sizeof path, "%s/chess/%s.ply", BENCH_DATA, PIECES[s->count]);
        if (!surface_load(&s->surfaces[s->count], path, &error)) {
            fprintf(stderr, "mesh: %s\n", error.message);
            return false;
        }
    }
    return true;
}

// Exact and 20 %, the others one by one or as a union.
static bool chess_contest(tally* t, const options* o, stage* s, const mesh_query* queries, size_t count,
                          bool separate) {
    contest c = new_contest(s, o, queries, count);
    mesh_mode exact = {.separate = separate}, rough = {.relative_error = ROUGH, .separate = separate};
    contestant* ours = add(&c, s, 0, exact);
    contestant* approximate = add(&c, s, 0, rough);
    contestant *rss[2] = {0}, *obbrss[2] = {0}; // exact, 20 %
    for (int i = 0; i < 2 && s->libraries == MAX_LIBRARIES; i++) {
        rss[i] = add(&c, s, 1, i ? rough : exact);
        obbrss[i] = add(&c, s, 2, i ? rough : exact);
    }
    c.brute_stride = 1;
    if (!contest_run(&c)) return false;
    t->brute += count;
    for (size_t i = 0; i < c.count; i++) count_answers(t, &c.of[i]);
    print_row(t, separate ? "one by one, exact" : "union, exact", ours, rss[0], obbrss[0]);
    print_row(t, separate ? "one by one, 20 %" : "union, 20 %", approximate, rss[1], obbrss[1]);
    t->rough[separate ? 0 : 1] = ours->us / approximate->us;
    return true;
}

static bool run_chess(tally* t, const options* o) {
    stage s = {.libraries = library_count(o)};
    size_t count = o->common.quick ? 36 : 120;
    mesh_query* queries = calloc(count, sizeof queries[0]);
    rng r = rng_seed(o->common.seed);
    bool good = queries && load_pieces(&s) && build_all(&s, 1);
    if (good) {
        print_heading(t, "chess",
                      "chess: one piece against five others, anywhere in a cube of side 500 (pieces 100 high)");
        place_chess(queries, count, &r);
        good = chess_contest(t, o, &s, queries, count, true) && chess_contest(t, o, &s, queries, count, false);
        if (t->tables)
            printf("20 %% against exact: one by one x%.1f, union x%.1f (goal: x%.0f)\n", t->rough[0], t->rough[1],
                   ROUGH_GOAL);
    }
    free(queries);
    stage_free(&s);
    return good;
}

// -------------------------------------------------------------------------------------------------- two copies ----

static double distance(stage* s, const mesh_query* q) {
    mesh_mode mode = {0};
    mesh_answer answer = {.distance = NAN};
    void* prepared = mesh_apart.prepare(s->shapes[0], q, &mode);
    if (!prepared) return NAN;
    mesh_apart.ask(prepared, &mode, NULL, &answer);
    mesh_apart.forget(prepared);
    return answer.distance;
}

// Lets the second copy come in from outside along a random line. Moving it by no more than the distance lacks of the
// gap keeps it outside, so that it ends where the gap is reached first, to within 2 %.
static bool place_at_gap(stage* s, double gap, mesh_query* q, rng* r) {
    for (int attempt = 0; attempt < 10; attempt++) {
        apart_vec3 way = rng_unit_vector(r), zero = {0, 0, 0};
        double t = 2 * s->surfaces[0].radius + gap;
        *q = (mesh_query){.pose_a = rng_pose(r, zero), .count = 1};
        q->pose_b[0] = rng_pose(r, zero);
        for (int i = 0; i < 300 && t > 0; i++) {
            q->pose_b[0].translation = vec3_scale(t, way);
            double excess = distance(s, q) - gap;
            if (excess <= 0.02 * gap) return true;
            t -= excess;
        }
    }
    return false;
}

static void add_all_exact(contest* c, stage* s, size_t stride) {
    for (size_t library = 0; library < s->libraries; library++)
        add(c, s, library, (mesh_mode){0})->stride = library ? stride : 1;
}

// The row of a contest whose FCL contestants are the last two.
static void print_contest(tally* t, const char* label, const contest* c, size_t ours) {
    bool peers = !c->of[c->count - 1].library->ours;
    print_row(t, label, &c->of[ours], peers ? &c->of[c->count - 2] : NULL, peers ? &c->of[c->count - 1] : NULL);
}

static bool run_gap(tally* t, const options* o, stage* s, const struct scale* scale, const struct gap* gap) {
    size_t count = o->common.quick ? 16 : scale->poses;
    mesh_query* queries = calloc(count, sizeof queries[0]);
    rng r = rng_seed(o->common.seed);
    bool good = queries != NULL;
    for (size_t i = 0; good && i < count; i++)
        good = place_at_gap(s, gap->of_size * s->surfaces[0].size, &queries[i], &r);
    contest c = new_contest(s, o, queries, count);
    c.brute_stride = small(&s->surfaces[0]) ? 1 : 0;
    add_all_exact(&c, s, 1);
    good = good && contest_run(&c);
    if (good) {
        char label[64];
        for (size_t i = 0; i < c.count; i++) count_answers(t, &c.of[i]);
        t->brute += c.brute_stride ? count : 0;
        snprintf(label, sizeof label, "%s %s", scale->label, gap->label);
        print_contest(t, label, &c, 0);
    }
    free(queries);
    return good;
}

// Do they meet? Near, as above, or the second copy pushed in until they cross.
static bool place_crossing(stage* s, mesh_query* q, rng* r) {
    if (!place_at_gap(s, GAPS[0].of_size * s->surfaces[0].size, q, r)) return false;
    for (int i = 0; i < 100 && distance(s, q) > 0; i++) {
        const apart_vec3 at = q->pose_b[0].translation;
        q->pose_b[0].translation = vec3_scale(1 - PUSH * s->surfaces[0].size / vec3_length(at), at);
    }
    return distance(s, q) == 0;
}

static bool run_yes_no(tally* t, const options* o, stage* s, const struct scale* scale, bool crossing) {
    size_t count = o->common.quick ? 16 : scale->poses;
    mesh_query* queries = calloc(count, sizeof queries[0]);
    rng r = rng_seed(o->common.seed);
    bool good = queries != NULL;
    for (size_t i = 0; good && i < count; i++)
        good = crossing ? place_crossing(s, &queries[i], &r)
                        : place_at_gap(s, GAPS[0].of_size * s->surfaces[0].size, &queries[i], &r);
    contest c = new_contest(s, o, queries, count);
    add(&c, s, 0, (mesh_mode){.yes_no = true});
    add(&c, s, 0, (mesh_mode){0}); // for the truth
    // Not RSS: fcl::collide copies such a mesh first.
    bool peers = s->libraries == MAX_LIBRARIES;
    if (peers) add(&c, s, 2, (mesh_mode){.yes_no = true});
    good = good && contest_run(&c);
    if (good) {
        char label[64];
        snprintf(label, sizeof label, "%s %s yes/no", scale->label, crossing ? "crossing" : "near");
        for (size_t i = 0; i < c.count; i++) count_answers(t, &c.of[i]);
        print_row(t, label, &c.of[0], NULL, peers ? &c.of[2] : NULL);
    }
    free(queries);
    return good;
}

// ------------------------------------------------------------------------------------------------------- steps ----

static apart_mat3 turn(double degrees, apart_vec3 axis) {
    double half = 0.5 * degrees * DEGREE, s = sin(half);
    return rng_matrix(cos(half), s * axis.x, s * axis.y, s * axis.z);
}

static apart_vec3 rotate(const apart_mat3* m, apart_vec3 p) {
    return (apart_vec3){m->m[0][0] * p.x + m->m[0][1] * p.y + m->m[0][2] * p.z,
                        m->m[1][0] * p.x + m->m[1][1] * p.y + m->m[1][2] * p.z,
                        m->m[2][0] * p.x + m->m[2][1] * p.y + m->m[2][2] * p.z};
}

// Around the first body, so far out that the two cannot meet.
static void place_steps(const surface* s, mesh_query* queries, size_t count, rng* r) {
    apart_vec3 zero = {0, 0, 0}, way = rng_unit_vector(r);
    apart_mat3 orbit = turn(ORBIT, rng_unit_vector(r)), spin = turn(SPIN, rng_unit_vector(r));
    mesh_query q = {.pose_a = rng_pose(r, zero), .count = 1};
    q.pose_b[0] = rng_pose(r, vec3_scale(2 * s->radius + 0.01 * s->size, way));
    for (size_t i = 0; i < count; i++) {
        queries[i] = q;
        q.pose_b[0].translation = rotate(&orbit, q.pose_b[0].translation);
        q.pose_b[0].rotation = rng_product(&spin, &q.pose_b[0].rotation);
    }
}

static bool run_steps(tally* t, const options* o, stage* s, const struct scale* scale) {
    size_t count = o->common.quick ? STEPS / 5 : STEPS;
    mesh_query* queries = calloc(count, sizeof queries[0]);
    if (!queries) return false;
    rng r = rng_seed(o->common.seed);
    place_steps(&s->surfaces[0], queries, count, &r);
    contest c = new_contest(s, o, queries, count);
    c.rounds = c.rounds < 3 ? c.rounds : 3;
    c.brute_stride = small(&s->surfaces[0]) ? STEP_STRIDE : 0;
    add(&c, s, 0, (mesh_mode){.warm = true});
    add_all_exact(&c, s, STEP_STRIDE);
    bool good = contest_run(&c);
    if (good) {
        char label[64];
        for (size_t i = 0; i < c.count; i++) count_answers(t, &c.of[i]);
        t->brute += c.brute_stride ? count / STEP_STRIDE : 0;
        snprintf(label, sizeof label, "%s steps, warm", scale->label);
        print_contest(t, label, &c, 0);
        snprintf(label, sizeof label, "%s steps, cold", scale->label);
        print_contest(t, label, &c, 1);
    }
    free(queries);
    return good;
}

// ------------------------------------------------------------------------------------------------------- trees ----

// The most memory that is in use while apart builds a shape, in bytes.
static double peak_of_build(const surface* s) {
    allocation_watch(0, false);
    void* shape = mesh_apart.create(s);
    allocation_stop();
    if (shape) mesh_apart.destroy(shape);
    return (double)allocation.peak;
}

static void note_build(tally* t, const stage* s, const struct kind* kind, const struct scale* scale) {
    for (size_t library = 0; t->csv && library < s->libraries; library++)
        fprintf(t->csv, "%s,\"%s build\",%s,%d,value,%.1f,0,1,0,0\n", kind->name, scale->label,
                LIBRARIES[library]->name, LIBRARIES[library]->ours, 1e9 * s->seconds[library]);
    if (!t->tables) return;
    double count = (double)s->surfaces[0].triangle_count, bytes = (double)mesh_apart.bytes(s->shapes[0][0]);
    fprintf(t->build_table, "%-5s%-5s %10.2f %9.0f %9.0f %9.0f", kind->name, scale->label, 1e3 * s->seconds[0],
            bytes / count, s->heap[0] / count, peak_of_build(&s->surfaces[0]) / count);
    for (size_t library = 1; library < s->libraries; library++)
        fprintf(t->build_table, " %12.2f %9.0f", 1e3 * s->seconds[library], s->heap[library] / count);
    if (s->libraries == MAX_LIBRARIES)
        fprintf(t->build_table, "   x%.1f", fmin(s->seconds[1], s->seconds[2]) / s->seconds[0]);
    fputc('\n', t->build_table);
}

static void print_builds(tally* t, const options* o) {
    fclose(t->build_table);
    t->build_table = NULL;
    if (t->build_size) {
        printf("\ntrees: milliseconds to build, bytes a triangle (own: by apart's account; heap: what malloc holds;\n"
               "peak: the most it held meanwhile)\n");
        printf("%-10s %10s %9s %9s %9s", "", "apart ms", "own", "heap", "peak");
        if (library_count(o) == MAX_LIBRARIES)
            printf(" %12s %9s %12s %9s   FCL / apart", "RSS ms", "heap", "OBBRSS ms", "heap");
        printf("\n%s", t->build);
    }
    free(t->build);
}

// --------------------------------------------------------------------------------------------------------- run ----

static bool run_surface(tally* t, const options* o, const struct kind* kind, const struct scale* scale) {
    bool trees = listed(o->only, "build");
    stage s = {.libraries = library_count(o), .count = 1};
    bool good = kind->make(&s.surfaces[0], scale->triangles) && build_all(&s, trees ? 3 : 1);
    if (good && trees) note_build(t, &s, kind, scale);
    for (size_t i = 0; good && listed(o->only, kind->name) && i < COUNT(GAPS); i++)
        good = run_gap(t, o, &s, scale, &GAPS[i]);
    for (int crossing = 0; good && listed(o->only, kind->name) && crossing < 2; crossing++)
        good = run_yes_no(t, o, &s, scale, crossing);
    if (good && listed(o->only, "track")) good = run_steps(t, o, &s, scale);
    stage_free(&s);
    return good;
}

static bool run_kind(tally* t, const options* o, const struct kind* kind) {
    bool rows = listed(o->only, kind->name) || listed(o->only, "track"), good = true;
    if (!rows && !listed(o->only, "build")) return true;
    char heading[128];
    snprintf(heading, sizeof heading, "%s: two copies; gap 1 %% (near), 50 %% (mid), 3 times (far) of the size",
             kind->name);
    if (rows) print_heading(t, kind->name, heading);
    for (size_t i = 0; good && i < COUNT(SCALES); i++)
        if (scale_selected(o, &SCALES[i])) good = run_surface(t, o, kind, &SCALES[i]);
    return good;
}

static void print_opening(const tally* t, const options* o) {
    if (t->csv) fputs("workload,bodies,library,ours,answers,ns,wrong,queries,worst_error,bracket\n", t->csv);
    if (!t->tables) return;
    printf("apart bench/mesh: distance of triangle meshes, all libraries in turn in one process\n\n");
    print_machine();
    printf("settings   seed %llu, processor time, median of %d rounds (steps: at most 3)\n",
           (unsigned long long)o->common.seed, (int)o->common.rounds);
    for (size_t i = 0; i < library_count(o); i++)
        printf("%-10s version %s: %s\n", LIBRARIES[i]->name, LIBRARIES[i]->version, LIBRARIES[i]->call);
    printf(
        "\nRead: microseconds per query; nodes and pairs: apart's node tests and triangle pairs per query; ! = wrong\n"
        "answers (off by more than 1e-12 of the size; of apart also: a bracket that does not hold the truth, or is\n"
        "wider than asked for). FCL / apart: the faster of RSS and OBBRSS.\n"
        "yes/no: do they meet? apart with a relative error of 1, FCL by fcl::collide; crossing: they do. FCL "
        "remembers\n"
        "nothing from step to step, and answers every %dth of them.\n",
        STEP_STRIDE);
}

static void print_closing(const tally* t) {
    if (!t->tables) return;
    if (t->cells) printf("\nat least %.0f times as fast as FCL: %zu of %zu exact cells\n", GOAL, t->fast, t->cells);
    printf("\nwrong answers of apart: %zu of %zu, worst error %.1e of the size", t->wrong[0], t->asked[0], t->worst[0]);
    if (t->asked[1])
        printf("\nwrong answers of FCL:   %zu of %zu, worst error %.1e of the size", t->wrong[1], t->asked[1],
               t->worst[1]);
    printf("\n(%zu queries compared with brute force over all triangle pairs)\n", t->brute);
}

int main(int argc, char** argv) {
    options o = {.common = {.seed = 1}};
    int stop = parse(&o, argc, argv);
    if (stop) return stop - 1;
    if (!any_selected(&o)) {
        fprintf(stderr, "mesh: no such part or size (try --help)\n");
        return 2;
    }
    tally t = {.tables = !o.common.csv};
    if (!options_csv(&o.common, "mesh", &t.csv)) return 2;
    t.build_table = open_memstream(&t.build, &t.build_size);
    if (!t.build_table) return 1;
    print_opening(&t, &o);
    bool good = !listed(o.only, "chess") || run_chess(&t, &o);
    for (size_t i = 0; i < COUNT(KINDS); i++) good = run_kind(&t, &o, &KINDS[i]) && good;
    print_builds(&t, &o);
    print_closing(&t);
    if (t.csv && t.csv != stdout) fclose(t.csv);
    return good && !t.wrong[0] ? 0 : 1;
}
