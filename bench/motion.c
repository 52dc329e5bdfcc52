// bench/motion: when do two moving bodies first meet? apart beside FCL's continuousCollide. How near do they come, when
// are they in contact? apart alone.
//
// Workloads: random convex bodies that fly past or into each other, turning by up to half a turn; tumbling by two to
// five turns; near misses; a bar that spins just above a plate; bullets through a thin plate; meshes. The same motions
// are also followed by plain and directional bounds, to compare the number of distance queries with ours.
//
// Answers are checked by sampling: apart's by the distance at many instants, FCL's by apart's.
#include "base/vec.h"
#include "contest.h"
#include "flights.h"
#include "machine.h"
#include "options.h"

#include <stdlib.h>

#define GOAL_QUERIES 8.0
#define GOAL_MESH 5.0

// FCL is wrong where it misses a contact, where it tells one so much earlier or later, in parts of the motion, or where
// the bodies are still so far apart, in parts of the size.
#define LATE 1e-3
#define FAR 1e-3
// What poses and distances may be rounded by, in parts of the size of the whole motion.
#define ROUNDING 1e-12
// Instants at which the distance is measured, to check an answer.
#define SAMPLES 400
#define MESH_SAMPLES 100
// Instants before the contact, at which a cold distance query is timed.
#define COLD 4
// A bound that takes more steps gives up.
#define MOST_STEPS 20000
// FCL is asked about so few motions of meshes of 20k triangles.
#define FEW 4

typedef struct options {
    common_options common;
    const char* only;
} options;

// What was found about FCL in one row.
typedef struct peer {
    double us;
    size_t asked, missed, early, late;
    double round_us[MAX_ROUNDS];
} peer;

// One row.
typedef struct row {
    const char *workload, *bodies;
    scene scene;
    size_t peer_stride; // FCL is asked about every so manyth motion; 0 = about none
    apart_contact* contacts;
    size_t of_kind[4], wrong;
    double us, cold_us, steps, bracket;
    double approach_us, approach_steps, spans_us; // the other two questions
    double round_us[MAX_ROUNDS], round_cold_us[MAX_ROUNDS];
    peer peer[FCL_WAYS];
} row;

// What is printed at the end.
typedef struct tally {
    const options* options;
    FILE* csv;
    size_t asked, wrong, peer_asked, peer_wrong;
    double queries, random; // distance queries in all random convex motions, and how many motions these are
    double mesh_ratio;      // the largest of meshes of 20k triangles
} tally;

// ------------------------------------------------------------------------------------------------------ asking ----

static apart_status ask(const scene* s, const encounter* e, bool screw, apart_contact* c) {
    apart_motion (*motion)(const flight*) = screw ? flight_screw : flight_motion;
    const apart_motion a = motion(&e->of[0]), b = motion(&e->of[1]);
    return apart_first_contact(s->shapes[e->body[0]], &a, s->shapes[e->body[1]], &b, NULL, c);
}

static bool measure(const scene* s, const encounter* e, bool screw, double time, apart_cache* cache, apart_result* r) {
    apart_motion (*motion)(const flight*) = screw ? flight_screw : flight_motion;
    const apart_motion a = motion(&e->of[0]), b = motion(&e->of[1]);
    apart_pose pose_a, pose_b;
    return apart_motion_pose(&a, time, &pose_a) == APART_OK && apart_motion_pose(&b, time, &pose_b) == APART_OK &&
           apart_distance(s->shapes[e->body[0]], &pose_a, s->shapes[e->body[1]], &pose_b, NULL, cache, r) == APART_OK;
}

static bool pass_ours(row* w) {
    bool good = true;
    for (size_t i = 0; i < w->scene.count; i++)
        good = ask(&w->scene, &w->scene.encounters[i], false, &w->contacts[i]) == APART_OK && good;
    return good;
}

// Microseconds of one distance query, on the way to the contact.
static double pass_cold(const row* w) {
    const scene* s = &w->scene;
    double seconds = 0;
    for (size_t i = 0; i < s->count; i++) {
        const encounter* e = &s->encounters[i];
        const apart_motion a = flight_motion(&e->of[0]), b = flight_motion(&e->of[1]);
        for (int k = 0; k < COLD; k++) {
            apart_pose pose_a = {0}, pose_b = {0};
            apart_result r;
            double time = w->contacts[i].time * k / COLD;
            apart_motion_pose(&a, time, &pose_a);
            apart_motion_pose(&b, time, &pose_b);
            double start = clock_seconds();
            apart_distance(s->shapes[e->body[0]], &pose_a, s->shapes[e->body[1]], &pose_b, NULL, NULL, &r);
            seconds += clock_seconds() - start;
        }
    }
    return 1e6 * seconds / (double)(s->count * COLD);
}

// -------------------------------------------------------------------------------------------- what ours must be ----

// How large the numbers are that a pose is made of.
static double extent(const scene* s, const encounter* e) {
    double far = s->size;
    for (int i = 0; i < 2; i++) {
        const flight* f = &e->of[i];
        far += vec3_length(f->start.translation) + vec3_length(f->velocity.linear);
    }
    return far;
}

// Farther apart than 0 at all instants before `time`; at it, or at time_upper, as the kind says.
static bool right(const scene* s, const encounter* e, bool screw, const apart_contact* c) {
    const int samples = s->surfaces ? MESH_SAMPLES : SAMPLES;
    const double rounding = ROUNDING * extent(s, e);
    apart_cache cache = {0};
    apart_result r;
    for (int i = 0; i < samples; i++)
        if (!measure(s, e, screw, c->time * i / samples, &cache, &r) || (r.upper_bound <= 0 && c->time > 0))
            return false;
    switch (c->kind) {
    case APART_FREE:
        return c->time == 1 && measure(s, e, screw, 1, &cache, &r) && r.upper_bound > 0;
    case APART_CONTACT:
        return c->time <= c->time_upper && measure(s, e, screw, c->time_upper, &cache, &r) && r.distance <= rounding;
    case APART_NEAR:
        return measure(s, e, screw, c->time, &cache, &r) && r.distance <= 1e-8 * s->size + rounding;
    case APART_UNDECIDED:
        break;
    }
    return false;
}

// ------------------------------------------------------------------------------------------ the other questions ----

#define MOST_SPANS 64

// The least distance lies in its bracket, and every instant of contact in a span, as far as samples tell.
static bool right_too(const scene* s, const encounter* e, const apart_approach* a, const apart_span* span,
                      size_t count) {
    const int samples = s->surfaces ? MESH_SAMPLES : SAMPLES;
    const double rounding = ROUNDING * extent(s, e);
    apart_cache cache = {0};
    apart_result r;
    if (!measure(s, e, false, a->time, &cache, &r) || r.distance > a->upper_bound + rounding) return false;
    for (int i = 0; i <= samples; i++) {
        const double time = (double)i / samples;
        if (!measure(s, e, false, time, &cache, &r) || r.upper_bound < a->lower_bound - rounding) return false;
        bool inside = r.upper_bound > 0;
        for (size_t k = 0; k < count; k++) inside = inside || (time >= span[k].begin && time <= span[k].end);
        if (!inside) return false;
    }
    return true;
}

// Asked once for each motion: closest approach and spans.
static bool run_others(row* w) {
    const scene* s = &w->scene;
    double approach = 0, spans = 0, steps = 0;
    for (size_t i = 0; i < s->count; i++) {
        const encounter* e = &s->encounters[i];
        const apart_shape *a = s->shapes[e->body[0]], *b = s->shapes[e->body[1]];
        const apart_motion motion_a = flight_motion(&e->of[0]), motion_b = flight_motion(&e->of[1]);
        apart_approach nearest;
        apart_span span[MOST_SPANS];
        size_t count = 0;
        double start = clock_seconds();
        apart_status status = apart_closest_approach(a, &motion_a, b, &motion_b, NULL, &nearest);
        double middle = clock_seconds();
        if (status == APART_OK)
            status = apart_contact_spans(a, &motion_a, b, &motion_b, NULL, span, MOST_SPANS, &count);
        double end = clock_seconds();
        if (status != APART_OK || count > MOST_SPANS) return false;
        approach += middle - start, spans += end - middle, steps += nearest.steps;
        w->wrong += !right_too(s, e, &nearest, span, count);
    }
    w->approach_us = 1e6 * approach / (double)s->count;
    w->spans_us = 1e6 * spans / (double)s->count;
    w->approach_steps = steps / (double)s->count;
    return true;
}

// --------------------------------------------------------------------------------------------------------- FCL ----

#ifdef BENCH_FCL
static void* peer_shape(const scene* s, size_t body) {
    return s->surfaces ? mesh_fcl_obbrss.create(&s->surfaces[body]) : bench_fcl_libccd.create(&s->bodies[body]);
}

// One pass: microseconds a motion.
static double pass_peer(const row* w, void* const* shapes, fcl_way way, double* times) {
    size_t asked = 0;
    double start = clock_seconds();
    for (size_t i = 0; i < w->scene.count; i += w->peer_stride, asked++) {
        const encounter* e = &w->scene.encounters[i];
        times[i] = fcl_first_contact(shapes[e->body[0]], &e->of[0], shapes[e->body[1]], &e->of[1], way);
    }
    return 1e6 * (clock_seconds() - start) / (double)asked;
}

// What is wrong with a time that FCL told, by apart's answer on the same motion. Where they graze, anything goes.
static void judge(peer* p, const scene* s, const encounter* e, bool screw, double time, const apart_contact* truth) {
    p->asked++;
    if (truth->kind == APART_NEAR) return;
    if (!(time <= 1)) {
        p->missed += truth->kind == APART_CONTACT || isnan(time);
        return;
    }
    apart_result r;
    if (truth->kind == APART_CONTACT && fabs(time - truth->time) <= LATE) return;
    if (truth->kind == APART_CONTACT && time > truth->time_upper)
        p->late++;
    else if (measure(s, e, screw, time, NULL, &r) && r.lower_bound > FAR * s->size)
        p->early++;
}

static bool check_peer(row* w, fcl_way way, const double* times) {
    peer* p = &w->peer[way];
    for (size_t i = 0; i < w->scene.count; i += w->peer_stride) {
        const encounter* e = &w->scene.encounters[i];
        apart_contact truth = w->contacts[i];
        if (way == FCL_SCREW) {
            if (ask(&w->scene, e, true, &truth) != APART_OK) return false;
            w->wrong += !right(&w->scene, e, true, &truth);
        }
        judge(p, &w->scene, e, way == FCL_SCREW, times[i], &truth);
    }
    return true;
}

static bool run_peer(row* w, int rounds) {
    scene* s = &w->scene;
    void** shapes = calloc(s->body_count, sizeof(void*));
    double* times = calloc(s->count, sizeof times[0]);
    bool good = shapes && times;
    for (size_t i = 0; good && i < s->body_count; i++) good = (shapes[i] = peer_shape(s, i));
    for (fcl_way way = 0; good && way < FCL_WAYS; way++) {
        peer* p = &w->peer[way];
        for (int round = 0; round < rounds; round++) p->round_us[round] = pass_peer(w, shapes, way, times);
        p->us = median(p->round_us, rounds);
        good = check_peer(w, way, times);
    }
    for (size_t i = 0; shapes && i < s->body_count; i++) {
        if (!shapes[i]) continue;
        if (s->surfaces)
            mesh_fcl_obbrss.destroy(shapes[i]);
        else
            bench_fcl_libccd.destroy(shapes[i]);
    }
    free((void*)shapes);
    free(times);
    return good;
}
#else
static bool run_peer(row* w, int rounds) {
    (void)w, (void)rounds;
    return true;
}
#endif

// ------------------------------------------------------------------------------------------------------ bounds ----

typedef enum bound { BOUND_PLAIN, BOUND_DIRECTIONAL, BOUNDS } bound;

// The largest distance of the body from the axis of its turn or, without a direction, from its origin.
static double reach(const bench_body* b, const flight* f, bool of_axis) {
    double most = 0, spin = vec3_length(f->velocity.angular);
    apart_vec3 axis = spin > 0 ? vec3_scale(1 / spin, f->velocity.angular) : (apart_vec3){0, 0, 0};
    axis = mat3_tmul(&f->start.rotation, axis);
    for (size_t i = 0; i < b->count; i++) {
        apart_vec3 p = b->points[i];
        most = fmax(most, of_axis ? vec3_length(vec3_cross(p, axis)) : vec3_length(p));
    }
    return most + b->radius;
}

// How fast the gap along n, from a to b, can close.
static double closing(const flight f[2], const double rho[2], apart_vec3 n, bound how) {
    double speed = 0;
    for (int i = 0; i < 2; i++) {
        const apart_twist* v = &f[i].velocity;
        if (how == BOUND_PLAIN)
            speed += vec3_length(v->linear) + vec3_length(v->angular) * rho[i];
        else
            speed += (i ? -1 : 1) * vec3_dot(v->linear, n) + vec3_length(vec3_cross(n, v->angular)) * rho[i];
    }
    return speed;
}

// Conservative advancement by one distance query after the other, until they touch to 1e-9 of the size: how many?
static double advance(const scene* s, const encounter* e, bound how) {
    double rho[2], time = 0;
    apart_cache cache = {0};
    apart_result r;
    for (int i = 0; i < 2; i++) rho[i] = reach(&s->bodies[e->body[i]], &e->of[i], how == BOUND_DIRECTIONAL);
    for (int steps = 1; steps < MOST_STEPS; steps++) {
        if (!measure(s, e, false, time, &cache, &r)) return NAN;
        double speed = closing(e->of, rho, r.normal, how), left = 1 - time;
        if (r.lower_bound <= 1e-9 * s->size || r.lower_bound >= speed * left) return steps;
        time += r.lower_bound / speed;
    }
    return MOST_STEPS;
}

// -------------------------------------------------------------------------------------------------------- rows ----

static void count_row(tally* t, row* w) {
    const scene* s = &w->scene;
    double steps = 0;
    for (size_t i = 0; i < s->count; i++) {
        const apart_contact* c = &w->contacts[i];
        w->of_kind[c->kind]++;
        w->wrong += !right(s, &s->encounters[i], false, c);
        steps += c->steps;
        if (c->kind == APART_CONTACT) w->bracket = fmax(w->bracket, c->time_upper - c->time);
    }
    w->steps = steps / (double)s->count;
    t->asked += s->count;
    t->wrong += w->wrong;
    for (fcl_way way = 0; way < FCL_WAYS; way++) {
        t->peer_asked += w->peer[way].asked;
        t->peer_wrong += w->peer[way].missed + w->peer[way].early + w->peer[way].late;
    }
}

static const char* const WAY_NAMES[FCL_WAYS] = {"FCL linear", "FCL screw", "FCL naive"};

static void write_row(const tally* t, const row* w) {
    if (!t->csv) return;
    const size_t count = w->scene.count;
    fprintf(t->csv, "%s,\"%s\",apart,1,value,%.1f,%zu,%zu,0,%.3g\n", w->workload, w->bodies, 1e3 * w->us, w->wrong,
            count, w->bracket);
    const struct {
        const char* name;
        double us;
    } others[] = {{"one distance", w->cold_us}, {"closest approach", w->approach_us}, {"spans", w->spans_us}};
    for (size_t i = 0; i < COUNT(others); i++)
        fprintf(t->csv, "%s,\"%s\",%s,1,value,%.1f,0,0,0,0\n", w->workload, w->bodies, others[i].name,
                1e3 * others[i].us);
    for (fcl_way way = 0; way < FCL_WAYS; way++) {
        const peer* p = &w->peer[way];
        if (p->asked)
            fprintf(t->csv, "%s,\"%s\",%s,0,value,%.1f,%zu,%zu,0,0\n", w->workload, w->bodies, WAY_NAMES[way],
                    1e3 * p->us, p->missed + p->early + p->late, p->asked);
    }
    fflush(t->csv);
}

static void print_row(const tally* t, const row* w) {
    if (t->options->common.csv) return;
    printf("%-10s %-10s %5zu %5zu %5zu %9.1f %8.1f %9.1f %6.1f %9.1f %8.1f %9.1f", w->workload, w->bodies,
           w->of_kind[APART_CONTACT], w->of_kind[APART_FREE], w->of_kind[APART_NEAR], w->us, w->steps, w->cold_us,
           w->us / w->cold_us, w->approach_us, w->approach_steps, w->spans_us);
    for (fcl_way way = 0; way < FCL_WAYS; way++) {
        const peer* p = &w->peer[way];
        char text[64] = "-";
        if (p->asked) snprintf(text, sizeof text, "%.1f", p->us);
        if (p->missed + p->early + p->late)
            snprintf(text, sizeof text, "%.1f!%zu+%zu+%zu", p->us, p->missed, p->early, p->late);
        printf(" %18s", text);
    }
    printf("%s\n", w->wrong ? "  WRONG" : "");
    fflush(stdout);
}

// Times ours and the cold query in turn; then FCL.
static bool run_row(tally* t, row* w) {
    const int rounds = (int)t->options->common.rounds;
    w->contacts = calloc(w->scene.count, sizeof w->contacts[0]);
    bool good = w->contacts && pass_ours(w);
    for (int round = 0; good && round < rounds; round++) {
        double start = clock_seconds();
        good = pass_ours(w);
        w->round_us[round] = 1e6 * (clock_seconds() - start) / (double)w->scene.count;
        w->round_cold_us[round] = pass_cold(w);
    }
    if (!good) return false;
    w->us = median(w->round_us, rounds);
    w->cold_us = median(w->round_cold_us, rounds);
    good = run_others(w);
    if (good && w->peer_stride && !t->options->common.alone) good = run_peer(w, w->scene.surfaces ? 1 : rounds);
    count_row(t, w);
    print_row(t, w);
    write_row(t, w);
    return good;
}

static void print_heading(const tally* t, const char* text) {
    if (t->options->common.csv) return;
    printf("\n%s\n%-10s %-10s %5s %5s %5s %9s %8s %9s %6s %9s %8s %9s %18s %18s %18s\n", text, "", "", "meet", "free",
           "near", "apart us", "queries", "one us", "ratio", "least us", "queries", "spans us", WAY_NAMES[0],
           WAY_NAMES[1], WAY_NAMES[2]);
}

static void finish_row(row* w) {
    free(w->contacts);
    scene_free(&w->scene);
}

// ------------------------------------------------------------------------------------------------ convex bodies ----

static const struct convex {
    const char *workload, *bodies;
    meeting how;
    bench_kind kind;
    uint32_t vertices;
} CONVEX[] = {
    {"random", "hull 8", MEETING_RANDOM, BENCH_HULL, 8},
    {"random", "hull 20", MEETING_RANDOM, BENCH_HULL, 20},
    {"random", "hull 100", MEETING_RANDOM, BENCH_HULL, 100},
    {"random", "box", MEETING_RANDOM, BENCH_BOX, 0},
    {"random", "capsule", MEETING_RANDOM, BENCH_CAPSULE, 0},
    {"tumbling", "hull 20", MEETING_TUMBLING, BENCH_HULL, 20},
    {"tumbling", "box", MEETING_TUMBLING, BENCH_BOX, 0},
    {"tumbling", "capsule", MEETING_TUMBLING, BENCH_CAPSULE, 0},
    {"near miss", "hull 20", MEETING_NEAR_MISS, BENCH_HULL, 20},
    {"near miss", "box", MEETING_NEAR_MISS, BENCH_BOX, 0},
    {"near miss", "capsule", MEETING_NEAR_MISS, BENCH_CAPSULE, 0},
};

// The number of distance queries of all three bounds on one row, of which ours is known.
typedef struct comparison {
    char workload[16], bodies[16];
    double steps[BOUNDS], ours;
} comparison;

static void compare_bounds(tally* t, const row* w, comparison* c) {
    const scene* s = &w->scene;
    snprintf(c->workload, sizeof c->workload, "%s", w->workload);
    snprintf(c->bodies, sizeof c->bodies, "%s", w->bodies);
    c->ours = w->steps;
    // Slow ones are cut short: a tenth of the motions tells enough.
    const size_t stride = s->count >= 100 ? 10 : 1;
    for (bound how = 0; how < BOUNDS; how++) {
        size_t asked = 0;
        for (size_t i = 0; i < s->count; i += stride, asked++) c->steps[how] += advance(s, &s->encounters[i], how);
        c->steps[how] /= (double)asked;
    }
    if (!t->csv) return;
    static const char* const names[BOUNDS] = {"plain", "directional"};
    for (bound how = 0; how < BOUNDS; how++)
        fprintf(t->csv, "queries of %s,\"%s\",%s,0,value,%.2f,0,0,0,0\n", c->workload, c->bodies, names[how],
                c->steps[how]);
    fprintf(t->csv, "queries of %s,\"%s\",apart,1,value,%.2f,0,0,0,0\n", c->workload, c->bodies, c->ours);
}

static void print_comparisons(const comparison* c, size_t count) {
    printf("\ndistance queries to the answer, by the bound that takes time onwards (%d: given up)\n", MOST_STEPS);
    printf("%-10s %-10s %12s %12s %12s\n", "", "", "plain", "directional", "second order");
    for (size_t i = 0; i < count; i++)
        printf("%-10s %-10s %12.1f %12.1f %12.1f\n", c[i].workload, c[i].bodies, c[i].steps[BOUND_PLAIN],
               c[i].steps[BOUND_DIRECTIONAL], c[i].ours);
}

// Turns of the spinner: less than half a turn, which FCL knows, and many.
#define SPIN 3.0
#define MANY_SPINS 100.0

static bool make_convex(const tally* t, size_t number, row* w) {
    const common_options* o = &t->options->common;
    const size_t count = o->quick ? 100 : 1000;
    if (number < COUNT(CONVEX)) {
        const struct convex* c = &CONVEX[number];
        w->workload = c->workload, w->bodies = c->bodies;
        // It takes many queries to make a near miss.
        size_t fewer = c->how == MEETING_NEAR_MISS ? count / 10 : count;
        return scene_convex(&w->scene, c->kind, c->vertices, c->how, fewer, o->seed);
    }
    switch (number - COUNT(CONVEX)) {
    case 0:
        w->workload = "spinner", w->bodies = "3 rad";
        return scene_spinner(&w->scene, SPIN, 10, o->seed);
    case 1:
        w->workload = "spinner", w->bodies = "100 rad";
        return scene_spinner(&w->scene, MANY_SPINS, 10, o->seed);
    default:
        w->workload = "bullet", w->bodies = "plate";
        return scene_bullet(&w->scene, count, o->seed);
    }
}
#define CONVEX_ROWS (COUNT(CONVEX) + 3)

static bool run_convex(tally* t) {
    comparison comparisons[CONVEX_ROWS] = {0};
    print_heading(t, "convex bodies");
    for (size_t i = 0; i < CONVEX_ROWS; i++) {
        row w = {0};
        bool good = make_convex(t, i, &w);
        w.peer_stride = w.scene.turns ? 0 : 1;
        good = good && run_row(t, &w);
        if (good) compare_bounds(t, &w, &comparisons[i]);
        if (i < COUNT(CONVEX) && CONVEX[i].how == MEETING_RANDOM) {
            t->random += (double)w.scene.count;
            t->queries += w.steps * (double)w.scene.count;
        }
        finish_row(&w);
        if (!good) return false;
    }
    if (!t->options->common.csv) print_comparisons(comparisons, CONVEX_ROWS);
    if (t->csv) fprintf(t->csv, "queries of random,all,apart,1,value,%.2f,0,0,0,0\n", t->queries / t->random);
    return true;
}

// ------------------------------------------------------------------------------------------------------ meshes ----

static const struct model {
    const char* bodies;
    surface_fn make;
    size_t triangles;
} MODELS[] = {{"knot 2k", surface_knot, 2000},
              {"knot 20k", surface_knot, 20000},
              {"blob 2k", surface_blob, 2000},
              {"blob 20k", surface_blob, 20000}};

static bool run_meshes(tally* t) {
    const common_options* o = &t->options->common;
    print_heading(t, "two copies of a mesh (queries: pairs of triangles that were measured)");
    for (size_t i = 0; i < COUNT(MODELS); i++) {
        const struct model* m = &MODELS[i];
        const size_t count = o->quick ? 12 : 48;
        row w = {.workload = "mesh", .bodies = m->bodies, .peer_stride = count / FEW};
        bool good = scene_mesh(&w.scene, m->make, m->triangles, count, o->seed) && run_row(t, &w);
        if (m->triangles >= 20000) t->mesh_ratio = fmax(t->mesh_ratio, w.us / w.cold_us);
        finish_row(&w);
        if (!good) return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------- main ----

static const char HELP[] = "bench/motion: when two moving bodies first meet, apart beside FCL\n"
                           "\n"
                           "  --only LIST        convex, mesh (comma-separated)\n" COMMON_HELP;

static void print_title(const common_options* o) {
    printf("apart bench/motion: first contact of two moving bodies\n\n");
    print_machine();
    printf("settings   seed %llu, processor time, median of %d rounds\n", (unsigned long long)o->seed, (int)o->rounds);
    printf("apart      apart_first_contact; queries: distance queries it makes; one: apart_distance, cold, at %d\n"
           "           instants before the contact; ratio: apart to that; least: apart_closest_approach; spans: "
           "apart_contact_spans\n",
           COLD);
    printf(
        "FCL        fcl::continuousCollide: conservative advancement along its linear and its screw motion, and its\n"
        "           default, ten instants; us!missed+early+late: contacts missed; told where the bodies are more "
        "than\n           %g of the size apart; told more than %g of the motion late\n",
        FAR, LATE);
}

static void print_summary(const tally* t) {
    printf("\nwrong answers of apart: %zu of %zu; of FCL: %zu of %zu\n", t->wrong, t->asked, t->peer_wrong,
           t->peer_asked);
    if (t->random > 0)
        printf("distance queries for a random convex motion: %.2f (at most %.0f: %s)\n", t->queries / t->random,
               GOAL_QUERIES, t->queries <= GOAL_QUERIES * t->random ? "met" : "missed");
    if (t->mesh_ratio > 0)
        printf("two meshes of 20k triangles: %.1f times one cold distance query (at most %.0f: %s)\n", t->mesh_ratio,
               GOAL_MESH, t->mesh_ratio <= GOAL_MESH ? "met" : "missed");
}

int main(int argc, char** argv) {
    options o = {.common = {.seed = 1}};
    common_options* common = &o.common;
    const option words[] = {COMMON_OPTIONS(common), {"--only", .text = &o.only}};
    int stop = options_parse(words, COUNT(words), "motion", HELP, argc, argv);
    if (stop) return stop - 1;
    if (!common->rounds) common->rounds = common->quick ? 3 : 7;
    tally t = {.options = &o};
    if (!options_csv(common, "motion", &t.csv)) return 2;
    if (t.csv) fputs("workload,bodies,library,ours,answers,ns,wrong,queries,worst_error,bracket\n", t.csv);
    if (!common->csv) print_title(common);
    bool good = true;
    if (options_list(o.only, "convex", true)) good = run_convex(&t) && good;
    if (options_list(o.only, "mesh", true)) good = run_meshes(&t) && good;
    if (!good) fprintf(stderr, "motion: a scene could not be made or asked about\n");
    if (!common->csv) print_summary(&t);
    if (t.csv && t.csv != stdout) fclose(t.csv);
    return good && !t.wrong ? 0 : 1;
}
