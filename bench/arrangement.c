// Shapes, places and moves from a seed, and the near pairs by brute force over the bodies of cells that are near.
#include "arrangement.h"

#include "base/vec.h"
#include "contest.h"
#include "workload.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------ shapes ----

#define KINDS 4
#define OF_A_KIND (CONVEX_SHAPES / KINDS)

// The bodies of bench/convex, taken over from a workload.
static bool take_bodies(bench_body* bodies, bench_kind kind, uint64_t seed) {
    const figure f = ALIKE("", GROUP_ALL, kind, kind == BENCH_HULL ? 20 : 0, LOOK_RANDOM);
    workload w;
    if (!workload_make(&w, &f, MOTION_COLD, 0, 1, 1, seed)) return false;
    bool good = w.body_count == OF_A_KIND;
    if (good) memcpy(bodies, w.bodies, OF_A_KIND * sizeof *bodies);
    if (good) memset(w.bodies, 0, OF_A_KIND * sizeof *bodies);
    workload_free(&w);
    return good;
}

// Puts the middle of a surface at the origin and makes it reach as far as 1.
static void fit_surface(surface* s) {
    apart_vec3 low = s->vertices[0], high = low;
    for (size_t i = 0; i < s->vertex_count; i++) {
        low = vec3_min(low, s->vertices[i]);
        high = vec3_max(high, s->vertices[i]);
    }
    const apart_vec3 middle = vec3_scale(0.5, vec3_add(low, high));
    double reach = 0;
    for (size_t i = 0; i < s->vertex_count; i++) {
        s->vertices[i] = vec3_sub(s->vertices[i], middle);
        reach = fmax(reach, vec3_length(s->vertices[i]));
    }
    for (size_t i = 0; i < s->vertex_count; i++) s->vertices[i] = vec3_scale(1 / reach, s->vertices[i]);
}

bool stock_make(stock* s, const char* data, uint64_t seed) {
    static const bench_kind kinds[KINDS] = {BENCH_BOX, BENCH_SPHERE, BENCH_CAPSULE, BENCH_HULL};
    static const char* const pieces[MESH_SHAPES] = {"king", "queen", "rook", "bishop", "knight", "pawn"};
    *s = (stock){0};
    for (int k = 0; k < KINDS; k++)
        if (!take_bodies(s->bodies + (size_t)k * OF_A_KIND, kinds[k], seed)) return false;
    for (size_t i = 0; i < CONVEX_SHAPES; i++)
        if (!(s->shapes[i] = bench_apart_auto.create(&s->bodies[i]))) return false;
    for (size_t i = 0; i < MESH_SHAPES; i++) {
        char path[512];
        apart_error error;
        snprintf(path, sizeof path, "%s/chess/%s.ply", data, pieces[i]);
        if (!surface_load(&s->surfaces[i], path, &error)) {
            fprintf(stderr, "scene: %s\n", error.message);
            return false;
        }
        fit_surface(&s->surfaces[i]);
        if (!(s->shapes[CONVEX_SHAPES + i] = mesh_apart.create(&s->surfaces[i]))) return false;
    }
    return true;
}

void stock_free(stock* s) {
    for (size_t i = 0; i < CONVEX_SHAPES + MESH_SHAPES; i++) apart_shape_release(s->shapes[i]);
    for (size_t i = 0; i < MESH_SHAPES; i++) surface_free(&s->surfaces[i]);
    for (size_t i = 0; i < CONVEX_SHAPES; i++) {
        free(s->bodies[i].points);
        free(s->bodies[i].triangles);
        free(s->bodies[i].edges);
    }
}

// ------------------------------------------------------------------------------------------------------- cells ----

// The cells that are at most `away` from that of a place, along each axis.
typedef struct cell_range {
    size_t low[3], high[3];
} cell_range;

static cell_range cells_around(const arrangement* a, size_t cell, size_t away) {
    const size_t side = a->side, at[3] = {cell % side, cell / side % side, cell / side / side};
    cell_range c;
    for (int k = 0; k < 3; k++) {
        c.low[k] = at[k] > away ? at[k] - away : 0;
        c.high[k] = at[k] + away < side ? at[k] + away : side - 1;
    }
    return c;
}

// Calls visit with each body in these cells, as long as it says true.
typedef bool (*visit_fn)(const arrangement* a, uint32_t body, void* context);
static bool visit_cells(const arrangement* a, const cell_range* c, visit_fn visit, void* context) {
    for (size_t z = c->low[2]; z <= c->high[2]; z++)
        for (size_t y = c->low[1]; y <= c->high[1]; y++)
            for (size_t x = c->low[0]; x <= c->high[0]; x++) {
                const uint32_t body = a->in_cell[(z * a->side + y) * a->side + x];
                if (body != EMPTY && !visit(a, body, context)) return false;
            }
    return true;
}

static bool measure(const arrangement* a, uint32_t i, const apart_pose* pose, uint32_t j, const apart_query* query,
                    apart_result* r) {
    apart_shape* const* shapes = a->source->shapes;
    return apart_distance(shapes[a->shape[i]], pose, shapes[a->shape[j]], &a->pose[j], query, NULL, r) == APART_OK;
}

// Whether two origins are so near that their bodies may be within the clearance.
static bool may_be_near(apart_vec3 p, apart_vec3 q, double clearance) {
    const apart_vec3 d = vec3_sub(p, q);
    return vec3_dot(d, d) <= (2 * REACH + clearance) * (2 * REACH + clearance);
}

// ------------------------------------------------------------------------------------------------------ places ----

typedef struct placing {
    uint32_t body;
    apart_pose pose;
} placing;

static bool is_clear(const arrangement* a, uint32_t other, void* context) {
    static const apart_query whether = {.relative_error = 1};
    const placing* p = context;
    apart_result r;
    if (other == p->body || !may_be_near(p->pose.translation, a->pose[other].translation, 0)) return true;
    return measure(a, p->body, &p->pose, other, &whether, &r) && r.lower_bound > 0;
}

// Puts a body somewhere in a cell, where it overlaps no other, if such a place is found.
static void try_cell(arrangement* a, uint32_t body, size_t cell, rng* r) {
    const size_t side = a->side;
    const apart_vec3 corner = {(double)(cell % side), (double)(cell / side % side), (double)(cell / side / side)};
    const cell_range around = cells_around(a, cell, 1);
    for (int tries = 0; tries < 8; tries++) {
        placing p = {.body = body};
        p.pose = rng_pose(r, vec3_mad(rng_in_cube(r, a->spacing / 2), a->spacing, corner));
        if (!visit_cells(a, &around, is_clear, &p)) continue;
        a->pose[body] = p.pose;
        a->in_cell[a->cell[body]] = EMPTY;
        a->in_cell[cell] = body;
        a->cell[body] = (uint32_t)cell;
        return;
    }
}

// At first every body is in the middle of its cell.
static void put_in_cells(arrangement* a, rng* r) {
    const size_t side = a->side, cells = side * side * side;
    for (size_t i = 0; i < cells; i++) a->in_cell[i] = i < a->count ? (uint32_t)i : EMPTY;
    // Bodies that follow each other are not neighbours.
    for (size_t i = cells; i-- > 1;) {
        const size_t k = (size_t)rng_below(r, (int)i + 1);
        const uint32_t kept = a->in_cell[i];
        a->in_cell[i] = a->in_cell[k];
        a->in_cell[k] = kept;
    }
    for (size_t i = 0; i < cells; i++) {
        const uint32_t body = a->in_cell[i];
        if (body == EMPTY) continue;
        const apart_vec3 corner = {(double)(i % side), (double)(i / side % side), (double)(i / side / side)};
        a->cell[body] = (uint32_t)i;
        a->pose[body] = rng_pose(r, vec3_scale(a->spacing, corner));
    }
    for (uint32_t i = 0; i < a->count; i++) try_cell(a, i, a->cell[i], r);
}

bool arrangement_make(arrangement* a, const stock* s, size_t count, double spacing, bool meshes, uint64_t seed) {
    *a = (arrangement){.source = s, .count = count, .spacing = spacing, .seed = seed + 1, .side = 1};
    rng r = rng_seed(seed);
    while (a->side * a->side * a->side < count + count / 20) a->side++;
    a->shape = malloc(count * sizeof a->shape[0]);
    a->cell = malloc(count * sizeof a->cell[0]);
    a->in_cell = malloc(a->side * a->side * a->side * sizeof a->in_cell[0]);
    a->pose = malloc(count * sizeof a->pose[0]);
    a->moved_count = count / 10;
    a->moved = malloc((a->moved_count + 1) * sizeof a->moved[0]);
    if (!a->shape || !a->cell || !a->in_cell || !a->pose || !a->moved) return false;
    for (size_t i = 0; i < count; i++) {
        const int mesh = CONVEX_SHAPES + rng_below(&r, MESH_SHAPES);
        a->shape[i] = (uint32_t)(meshes && i % 2 ? mesh : rng_below(&r, CONVEX_SHAPES));
    }
    put_in_cells(a, &r);
    return true;
}

void arrangement_free(arrangement* a) {
    free(a->shape);
    free(a->cell);
    free(a->in_cell);
    free(a->pose);
    free(a->moved);
}

void arrangement_move(arrangement* a) {
    rng r = rng_seed(a->seed++);
    const size_t cells = a->side * a->side * a->side, first = (size_t)rng_below(&r, 10);
    for (size_t i = 0; i < a->moved_count; i++) {
        const uint32_t body = a->moved[i] = (uint32_t)((first + 10 * i) % a->count);
        const size_t other = (size_t)rng_below(&r, (int)cells);
        const bool jumps = i % 10 == 0 && a->in_cell[other] == EMPTY;
        try_cell(a, body, jumps ? other : a->cell[body], &r);
    }
}

// ------------------------------------------------------------------------------------------------------- pairs ----

bool near_list_add(near_list* list, uint32_t one, uint32_t other, double distance) {
    if (list->count == list->room) {
        size_t room = 2 * list->room + 64;
        near_pair* more = realloc(list->pairs, room * sizeof *more);
        if (!more) return false;
        list->pairs = more;
        list->room = room;
    }
    list->pairs[list->count++] = (near_pair){one < other ? one : other, one < other ? other : one, distance};
    return true;
}

static int compare_pairs(const void* left, const void* right) {
    const near_pair *p = left, *q = right;
    if (p->one != q->one) return p->one < q->one ? -1 : 1;
    return p->other < q->other ? -1 : p->other > q->other;
}

void near_list_sort(near_list* list) { qsort(list->pairs, list->count, sizeof *list->pairs, compare_pairs); }

typedef struct gathering {
    uint32_t body;
    double clearance;
    bool all; // however far their origins are
    near_list* list;
} gathering;

// Adds a body with a higher number, if it is near.
static bool add_if_near(const arrangement* a, uint32_t other, void* context) {
    const gathering* g = context;
    const uint32_t i = g->body;
    apart_result r;
    if (other <= i) return true;
    if (!g->all && !may_be_near(a->pose[i].translation, a->pose[other].translation, g->clearance)) return true;
    if (!measure(a, i, &a->pose[i], other, NULL, &r)) return false;
    return r.lower_bound > g->clearance || near_list_add(g->list, i, other, r.distance);
}

bool arrangement_truth(const arrangement* a, double clearance, near_list* list) {
    const bool all = a->count <= 2000;
    const size_t away = all ? a->side : 1 + (size_t)((2 * REACH + clearance) / a->spacing);
    bool good = true;
    list->count = 0;
    for (uint32_t i = 0; good && i < a->count; i++) {
        gathering g = {i, clearance, all, list};
        const cell_range around = cells_around(a, a->cell[i], away);
        good = visit_cells(a, &around, add_if_near, &g);
    }
    near_list_sort(list);
    return good;
}
