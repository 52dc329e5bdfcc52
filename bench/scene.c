// bench/scene: which pairs of many bodies are within a clearance, which two are closest? apart_scene beside FCL's
// dynamic tree of boxes.
//
// A tenth of the bodies moves, then the question is asked, again and again: the time of a step is that of both. Bodies
// are 2 across and do not overlap. Sparse: one in a cube of edge 6, with few others near; dense: of edge 2.2. Convex
// bodies only, or every second body a chess piece of 2,000 triangles.
//
// Answers are checked against brute force: over all pairs of 1,000 bodies, over all that are in neighbouring cells of
// more. Distances within 1e-6 of the size of the clearance may be on either side of it.
#include "arrangement.h"
#include "contest.h"
#include "machine.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

#define SPARSE 6.0
#define DENSE 2.2
#define CLEARANCE 0.5
#define TOLERANCE 2e-6

typedef enum question { WITHIN, CLOSEST, QUESTIONS } question;
static const char* const QUESTION_NAMES[QUESTIONS] = {"within", "closest"};

typedef struct options {
    common_options common;
    const char *only, *bodies, *size;
    bool caches;
} options;

// Times of one library in milliseconds: of the whole scene being made; of the moves of a step, and of both parts of it,
// in the mean, since some steps mend more of a tree than others.
typedef struct times {
    double build, move, step;
    size_t wrong, asked;
} times;

// One row of the tables.
typedef struct row {
    question question;
    char bodies[32];
    bool meshes, dense;
    size_t count, pairs;
    times ours, two, fcl; // two: on two threads, wall-clock time
} row;

typedef struct tally {
    const options* options;
    FILE* csv;
    void* fcl[CONVEX_SHAPES + MESH_SHAPES];
    size_t wrong, asked, fcl_wrong, fcl_asked, slower, rows;
    double least[2]; // ratio of FCL to apart: of convex bodies, with meshes
} tally;

// ------------------------------------------------------------------------------------------------------- apart ----

static bool note_pair(const apart_scene_pair* p, void* context) {
    return near_list_add(context, p->a, p->b, p->result.distance);
}

static apart_scene* create_scene(const arrangement* a) {
    apart_scene* scene = apart_scene_create(NULL);
    bool good = scene != NULL;
    for (size_t i = 0; good && i < a->count; i++) {
        const apart_scene_body body = {.shape = a->source->shapes[a->shape[i]], .pose = a->pose[i]};
        good = apart_scene_add(scene, &body, NULL, NULL) == APART_OK;
    }
    if (good) return scene;
    apart_scene_release(scene);
    return NULL;
}

static bool move_bodies(apart_scene* scene, const arrangement* a) {
    bool good = true;
    for (size_t i = 0; i < a->moved_count; i++)
        good = apart_scene_move(scene, a->moved[i], &a->pose[a->moved[i]]) == APART_OK && good;
    return good;
}

static bool ask(const apart_scene* scene, question q, int threads, near_list* list) {
    apart_scene_pair p;
    list->count = 0;
    if (q == WITHIN) return apart_scene_within(scene, CLEARANCE, NULL, threads, note_pair, list) == APART_OK;
    return apart_scene_closest(scene, NULL, &p) == APART_OK && near_list_add(list, p.a, p.b, p.result.distance);
}

// --------------------------------------------------------------------------------------------------------- FCL ----

#ifdef BENCH_FCL
static bool ask_fcl(void* scene, question q, near_list* list) {
    near_pair p;
    list->count = 0;
    if (q == WITHIN) return fcl_scene_within(scene, CLEARANCE, list);
    return fcl_scene_closest(scene, &p) && near_list_add(list, p.one, p.other, p.distance);
}

static bool make_fcl_shapes(tally* t, const stock* s) {
    bool good = true;
    for (size_t i = 0; i < CONVEX_SHAPES; i++) good = (t->fcl[i] = bench_fcl_libccd.create(&s->bodies[i])) && good;
    for (size_t i = 0; i < MESH_SHAPES; i++)
        good = (t->fcl[CONVEX_SHAPES + i] = mesh_fcl_obbrss.create(&s->surfaces[i])) && good;
    return good;
}

static void free_fcl_shapes(tally* t) {
    for (size_t i = 0; i < CONVEX_SHAPES; i++)
        if (t->fcl[i]) bench_fcl_libccd.destroy(t->fcl[i]);
    for (size_t i = CONVEX_SHAPES; i < CONVEX_SHAPES + MESH_SHAPES; i++)
        if (t->fcl[i]) mesh_fcl_obbrss.destroy(t->fcl[i]);
}
#endif

// ----------------------------------------------------------------------------------------------------- checking ----

// Pairs that are missing, too many or at another distance; of a closest pair the distance counts.
static size_t count_wrong(question asked, const near_list* truth, near_list* list) {
    size_t wrong = 0, i = 0, k = 0;
    if (asked == CLOSEST) {
        double least = INFINITY;
        for (size_t n = 0; n < truth->count; n++) least = fmin(least, truth->pairs[n].distance);
        return list->count != 1 || !(fabs(list->pairs[0].distance - least) <= TOLERANCE);
    }
    near_list_sort(list);
    while (i < truth->count || k < list->count) {
        const near_pair *p = i < truth->count ? &truth->pairs[i] : NULL, *q = k < list->count ? &list->pairs[k] : NULL;
        if (p && q && p->one == q->one && p->other == q->other) {
            wrong += !(fabs(p->distance - q->distance) <= TOLERANCE);
            i++, k++;
        } else if (p && (!q || p->one < q->one || (p->one == q->one && p->other < q->other))) {
            wrong += p->distance < CLEARANCE - TOLERANCE;
            i++;
        } else {
            wrong += q->distance < CLEARANCE - TOLERANCE;
            k++;
        }
    }
    return wrong;
}

// --------------------------------------------------------------------------------------------------------- rows ----

// One scene, of apart or of FCL.
typedef struct player {
    times* times;
    apart_scene* scene; // or
    void* fcl;
    int threads;
} player;

static bool run_step(player* c, question q, const arrangement* a, near_list* list) {
    double (*clock)(void) = c->threads > 1 ? wall_seconds : clock_seconds;
    bool good = true;
    double start = clock();
#ifdef BENCH_FCL
    if (c->fcl) fcl_scene_move(c->fcl, a);
#endif
    if (c->scene) good = move_bodies(c->scene, a);
    double middle = clock();
#ifdef BENCH_FCL
    if (c->fcl) good = ask_fcl(c->fcl, q, list);
#endif
    if (c->scene) good = ask(c->scene, q, c->threads, list) && good;
    double end = clock();
    c->times->move += 1e3 * (middle - start);
    c->times->step += 1e3 * (end - start);
    return good;
}

static bool run_rounds(row* w, arrangement* a, player* c, size_t count, int rounds) {
    near_list truth = {0}, list = {0};
    bool good = true;
    for (int round = 0; good && round < rounds; round++) {
        arrangement_move(a);
        // What is right costs more than all answers: it is looked up in the last round, and in all of few bodies.
        const bool checked = round == rounds - 1 || a->count <= 2000;
        good = !checked || arrangement_truth(a, CLEARANCE, &truth);
        w->pairs = checked ? truth.count : w->pairs;
        for (size_t i = 0; good && i < count; i++) {
            good = run_step(&c[i], w->question, a, &list);
            if (!checked) continue;
            c[i].times->wrong += count_wrong(w->question, &truth, &list);
            c[i].times->asked += w->question == WITHIN && truth.count ? truth.count : 1;
        }
    }
    for (size_t i = 0; i < count; i++) {
        c[i].times->move /= rounds;
        c[i].times->step /= rounds;
    }
    free(truth.pairs);
    free(list.pairs);
    return good;
}

static bool run_row(tally* t, row* w, const stock* s) {
    const common_options* o = &t->options->common;
    arrangement a;
    player c[3] = {{.times = &w->ours, .threads = 1}, {.times = &w->two, .threads = 2}, {.times = &w->fcl}};
    bool good = arrangement_make(&a, s, w->count, w->dense ? DENSE : SPARSE, w->meshes, o->seed);
    // Only the pairs within a clearance are looked for on several threads.
    for (int i = 0; good && i < (w->question == WITHIN ? 2 : 1); i++) {
        double start = clock_seconds();
        good = (c[i].scene = create_scene(&a));
        c[i].times->build = 1e3 * (clock_seconds() - start);
    }
#ifdef BENCH_FCL
    if (good && !o->alone) {
        double start = clock_seconds();
        good = (c[2].fcl = fcl_scene_create(&a, t->fcl, w->question == WITHIN ? CLEARANCE / 2 : 0));
        w->fcl.build = 1e3 * (clock_seconds() - start);
    }
#endif
    // Those that take part come first.
    size_t count = 0;
    for (size_t i = 0; i < 3; i++)
        if (c[i].scene || c[i].fcl) c[count++] = c[i];
    good = good && run_rounds(w, &a, c, count, (int)o->rounds);
    for (size_t i = 0; i < count; i++) {
        apart_scene_release(c[i].scene);
#ifdef BENCH_FCL
        if (c[i].fcl) fcl_scene_destroy(c[i].fcl);
#endif
    }
    arrangement_free(&a);
    return good;
}

static void write_line(const tally* t, const row* w, const char* library, bool ours, const times* of) {
    if (!of->asked) return;
    fprintf(t->csv, "%s,\"%s\",%s,%d,value,%.1f,%zu,%zu,0,0\n", QUESTION_NAMES[w->question], w->bodies, library, ours,
            1e6 * of->step, of->wrong, of->asked);
}

static void write_row(const tally* t, const row* w) {
    if (!t->csv) return;
    write_line(t, w, "apart", true, &w->ours);
    write_line(t, w, "apart x2", true, &w->two);
    write_line(t, w, "FCL", false, &w->fcl);
    fflush(t->csv);
}

static void print_time(const times* of, double ms) {
    if (of->asked)
        printf(" %9.2f", ms);
    else
        printf(" %9s", "-");
}

static void print_row(const tally* t, const row* w) {
    if (t->options->common.csv) return;
    printf("%-8s %-18s %8zu", QUESTION_NAMES[w->question], w->bodies, w->pairs);
    print_time(&w->ours, w->ours.step);
    print_time(&w->two, w->two.step);
    print_time(&w->fcl, w->fcl.step);
    if (w->fcl.asked)
        printf(" %6.1f", w->fcl.step / w->ours.step);
    else
        printf(" %6s", "-");
    printf(" %8.0f", 1e6 * w->ours.step / (double)w->count);
    print_time(&w->ours, w->ours.move);
    print_time(&w->fcl, w->fcl.move);
    print_time(&w->ours, w->ours.build);
    print_time(&w->fcl, w->fcl.build);
    if (w->ours.wrong + w->two.wrong) printf("  WRONG");
    if (w->fcl.wrong) printf("  FCL wrong: %zu of %zu", w->fcl.wrong, w->fcl.asked);
    putchar('\n');
    fflush(stdout);
}

static void count_row(tally* t, const row* w) {
    t->wrong += w->ours.wrong + w->two.wrong;
    t->asked += w->ours.asked + w->two.asked;
    t->fcl_wrong += w->fcl.wrong;
    t->fcl_asked += w->fcl.asked;
    if (!w->fcl.asked) return;
    const double ratio = w->fcl.step / w->ours.step;
    t->rows++;
    t->slower += ratio < 1;
    t->least[w->meshes] = fmin(t->least[w->meshes], ratio);
}

// ------------------------------------------------------------------------------------------------------ caches ----

// The near pairs of one arrangement, measured cold and from what each pair's last answer left in a cache.
typedef struct warmth {
    near_list pairs;
    apart_cache* caches;
    double cold, warm; // milliseconds
    size_t changed;    // answers whose bits are not those of the cold one
    size_t still;      // pairs of which neither body moved
} warmth;

static apart_status measure_near(const arrangement* a, const near_pair* p, apart_cache* cache, apart_result* r) {
    apart_shape* const* shapes = a->source->shapes;
    return apart_distance(shapes[a->shape[p->one]], &a->pose[p->one], shapes[a->shape[p->other]], &a->pose[p->other],
                          NULL, cache, r);
}

// Bodies that move have a number that leaves the same rest when it is divided by ten.
static bool moves(const arrangement* a, uint32_t body) { return body % 10 == a->moved[0] % 10; }

static bool compare_warm(warmth* w, const arrangement* a) {
    apart_result* cold = calloc(w->pairs.count, sizeof *cold);
    bool good = cold != NULL;
    double start = clock_seconds();
    for (size_t i = 0; good && i < w->pairs.count; i++)
        good = measure_near(a, &w->pairs.pairs[i], NULL, &cold[i]) == APART_OK;
    double middle = clock_seconds();
    for (size_t i = 0; good && i < w->pairs.count; i++) {
        apart_result r;
        good = measure_near(a, &w->pairs.pairs[i], &w->caches[i], &r) == APART_OK;
        w->still += !moves(a, w->pairs.pairs[i].one) && !moves(a, w->pairs.pairs[i].other);
        w->changed += good && memcmp(&r.distance, &cold[i].distance, offsetof(apart_result, a)) != 0;
    }
    double end = clock_seconds();
    w->cold += 1e3 * (middle - start);
    w->warm += 1e3 * (end - middle);
    free(cold);
    return good;
}

// What would caches of pairs buy, and do they change bits? Those within the clearance are measured again and again, a
// tenth of the bodies moving in between.
static bool run_caches(const tally* t, const stock* s, bool meshes, size_t count) {
    const common_options* o = &t->options->common;
    arrangement a;
    warmth w = {0};
    apart_result r;
    bool good = arrangement_make(&a, s, count, DENSE, meshes, o->seed) && arrangement_truth(&a, CLEARANCE, &w.pairs);
    w.caches = good ? calloc(w.pairs.count, sizeof *w.caches) : NULL;
    good = w.caches != NULL;
    for (size_t i = 0; good && i < w.pairs.count; i++)
        good = measure_near(&a, &w.pairs.pairs[i], &w.caches[i], &r) == APART_OK;
    for (uint64_t round = 0; good && round < o->rounds; round++) {
        arrangement_move(&a);
        good = compare_warm(&w, &a);
    }
    const double rounds = (double)o->rounds, pairs = rounds * (double)w.pairs.count;
    printf("%s dense, %zu bodies, %zu pairs: cold %.2f ms, warm %.2f ms; other bits in %.1f %% of the answers; neither "
           "moved: %.0f %%\n",
           meshes ? "meshes" : "convex", count, w.pairs.count, w.cold / rounds, w.warm / rounds,
           100 * (double)w.changed / pairs, 100 * (double)w.still / pairs);
    free(w.caches);
    free(w.pairs.pairs);
    arrangement_free(&a);
    return good;
}

// -------------------------------------------------------------------------------------------------------- main ----

static const struct {
    const char* name;
    size_t count;
} SIZES[] = {{"1k", 1000}, {"10k", 10000}, {"100k", 100000}};

static bool run_rows(tally* t, const stock* s) {
    const options* o = t->options;
    for (question q = 0; q < QUESTIONS; q++)
        for (int kind = 0; kind < 4; kind++)
            for (size_t i = 0; i < COUNT(SIZES); i++) {
                row w = {.question = q, .meshes = kind / 2, .dense = kind % 2, .count = SIZES[i].count};
                const char *bodies = w.meshes ? "meshes" : "convex", *density = w.dense ? "dense" : "sparse";
                snprintf(w.bodies, sizeof w.bodies, "%s %s %s", bodies, density, SIZES[i].name);
                if (!options_list(o->only, QUESTION_NAMES[q], true) || !options_list(o->bodies, w.bodies, false))
                    continue;
                if (!options_list(o->size, SIZES[i].name, true) || (o->common.quick && w.count > 10000)) continue;
                if (!run_row(t, &w, s)) return false;
                count_row(t, &w);
                print_row(t, &w);
                write_row(t, &w);
            }
    return true;
}

static const char HELP[] =
    "bench/scene: many bodies, of which a tenth moves, and which of them are near; apart beside FCL\n"
    "\n"
    "  --only LIST        within, closest (comma-separated)\n"
    "  --bodies LIST      convex, meshes, convex sparse, meshes dense 10k... (beginnings of their names)\n"
    "  --size LIST        1k, 10k, 100k\n"
    "  --caches           only what warm starts of pairs would buy\n" COMMON_HELP;

static void print_title(const common_options* o) {
    printf("apart bench/scene: many bodies, of which a tenth moves before each question\n\n");
    print_machine();
    printf("settings   seed %llu, processor time (x2: two threads, wall-clock time), mean of %d steps\n",
           (unsigned long long)o->seed, (int)o->rounds);
    printf("apart      apart_scene_move, then apart_scene_within (clearance %g; bodies are 2 across) or "
           "apart_scene_closest\n"
           "FCL        DynamicAABBTreeCollisionManager: update; within: collide with boxes widened by half the "
           "clearance,\n"
           "           and fcl::distance that starts from it; closest: distance, with one result for all pairs\n",
           CLEARANCE);
    printf("\nRead: milliseconds of a step, moves and question; ratio: FCL / apart; ns: of apart for each body in the "
           "scene;\n"
           "pairs: within the clearance; move: of the moves alone; make: to add all bodies\n\n");
    printf("%-8s %-18s %8s %9s %9s %9s %6s %8s %9s %9s %9s %9s\n", "", "", "pairs", "apart", "apart x2", "FCL", "ratio",
           "ns", "move", "FCL move", "make", "FCL make");
}

static void print_summary(const tally* t) {
    printf("\nwrong answers of apart: %zu of %zu; of FCL: %zu of %zu\n", t->wrong, t->asked, t->fcl_wrong,
           t->fcl_asked);
    if (t->rows)
        printf("not slower than FCL in %zu of %zu rows; least ratio: convex %.2f, with meshes %.2f\n",
               t->rows - t->slower, t->rows, t->least[0], t->least[1]);
}

int main(int argc, char** argv) {
    options o = {.common = {.seed = 1}};
    common_options* common = &o.common;
    const option words[] = {COMMON_OPTIONS(common),
                            {"--only", .text = &o.only},
                            {"--bodies", .text = &o.bodies},
                            {"--size", .text = &o.size},
                            {"--caches", .flag = &o.caches}};
    int stop = options_parse(words, COUNT(words), "scene", HELP, argc, argv);
    if (stop) return stop - 1;
    if (!common->rounds) common->rounds = common->quick ? 5 : 20;
    tally t = {.options = &o, .least = {INFINITY, INFINITY}};
    if (!options_csv(common, "scene", &t.csv)) return 2;
    if (t.csv) fputs("workload,bodies,library,ours,answers,ns,wrong,queries,worst_error,bracket\n", t.csv);
    if (!common->csv && !o.caches) print_title(common);
    stock s;
    bool good = stock_make(&s, BENCH_DATA, common->seed);
#ifdef BENCH_FCL
    good = good && (common->alone || make_fcl_shapes(&t, &s));
#endif
    if (o.caches)
        good = good && run_caches(&t, &s, false, 10000) && run_caches(&t, &s, true, 10000);
    else
        good = good && run_rows(&t, &s);
    if (!good) fprintf(stderr, "scene: the bodies could not be made or asked about\n");
#ifdef BENCH_FCL
    free_fcl_shapes(&t);
#endif
    stock_free(&s);
    if (!common->csv && !o.caches) print_summary(&t);
    if (t.csv && t.csv != stdout) fclose(t.csv);
    return good && !t.wrong ? 0 : 1;
}
