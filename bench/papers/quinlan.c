// Quinlan 1994, section 5: six chess pieces in a cube, each measured against the union of the other five.
//
// Graph 1: tests of nodes and triangles over the relative error. Graph 2: over the distance, at 20 %. Graph 3: nodes
// searched over the number of leaves, where the leaf spheres themselves are the bodies: this one uses the tree from
// inside (tree/spheres.h), the others the public interface.
#include "lab.h"

#include "../machine.h"
#include "../surface.h"
#include "papers/quinlan1994.h"

#include <stdio.h>
#include <stdlib.h>

#define PIECES 6
#define CUBE 500.0
#define LEAF_RADIUS 2.0
#define DECSTATION_NODES 80000.0 // node pairs a second, then
#define DECSTATION_TRIANGLES 11000.0

static const char* const NAMES[PIECES] = {"king", "queen", "rook", "bishop", "knight", "pawn"};

typedef struct chess {
    surface surface[PIECES];
    apart_shape* shape[PIECES];
    double build; // seconds
    size_t leaves, triangles;
} chess;

// All six pieces, each somewhere in the cube, turned anyhow.
typedef struct placement {
    apart_pose pose[PIECES];
} placement;

// Averages over queries.
typedef struct cost {
    double queries, nodes, triangles, seconds;
} cost;

// ------------------------------------------------------------------------------------------------- pieces, places ----

static void chess_free(chess* c) {
    for (int i = 0; i < PIECES; i++) {
        apart_shape_release(c->shape[i]);
        surface_free(&c->surface[i]);
    }
}

// Reads the pieces and builds their trees; false, with a line that says why, if that fails.
static bool chess_load(chess* c) {
    apart_mesh_options options = {.sphere_radius = LEAF_RADIUS, .hollow = true}; // surfaces, as in the paper
    apart_error error = {0};
    *c = (chess){0};
    for (int i = 0; i < PIECES; i++) {
        char path[1024];
        surface* s = &c->surface[i];
        snprintf(path, sizeof path, "%s/chess/%s.ply", BENCH_DATA, NAMES[i]);
        if (!surface_load(s, path, &error)) break;
        double start = clock_seconds();
        c->shape[i] =
            apart_shape_mesh(s->vertices, s->vertex_count, s->triangles[0], s->triangle_count, &options, &error);
        c->build += clock_seconds() - start;
        apart_shape_info info;
        if (apart_shape_describe(c->shape[i], &info)) break;
        c->leaves += info.spheres;
        c->triangles += info.triangles;
    }
    if (c->shape[PIECES - 1]) return true;
    printf("CANNOT LOAD THE PIECES: %s\n", error.message);
    chess_free(c);
    return false;
}

static placement* place(size_t count, uint64_t seed) {
    placement* places = malloc(count * sizeof *places);
    rng r = rng_seed(seed);
    for (size_t i = 0; places && i < count; i++)
        for (int k = 0; k < PIECES; k++) places[i].pose[k] = rng_pose(&r, rng_in_cube(&r, 0.5 * CUBE));
    return places;
}

// ------------------------------------------------------------------------------------------- through the interface
// ----

// Piece number `which` against the union of the others.
static apart_status measure(const chess* c, const placement* p, int which, const apart_query* query, double* seconds,
                            apart_result* result) {
    apart_part parts[PIECES - 1];
    for (int i = 0, k = 0; i < PIECES; i++)
        if (i != which) parts[k++] = (apart_part){c->shape[i], p->pose[i]};
    apart_shape* others = apart_shape_union(parts, PIECES - 1, NULL);
    if (!others) return APART_OUT_OF_MEMORY;
    double start = clock_seconds();
    apart_status status =
        apart_distance(c->shape[which], &p->pose[which], others, &apart_pose_identity, query, NULL, result);
    *seconds = clock_seconds() - start;
    apart_shape_release(others);
    return status;
}

// The exact distances, by the library's own tree: PIECES a placement. False if a query failed.
static bool measure_truth(const chess* c, const placement* places, size_t count, double* truth) {
    for (size_t i = 0; i < count * PIECES; i++) {
        apart_result result;
        double seconds = 0;
        if (measure(c, &places[i / PIECES], (int)(i % PIECES), NULL, &seconds, &result)) return false;
        truth[i] = result.distance;
    }
    return true;
}

// The two promises: a true bracket, and Quinlan's error.
static bool is_right(const apart_result* r, double alpha, double truth) {
    double rounding = 1e-12 * CUBE;
    return r->lower_bound <= truth + rounding && truth <= r->upper_bound + rounding &&
           r->lower_bound >= (1 - alpha) * r->upper_bound - rounding &&
           (truth > rounding || alpha > 0.99 || r->upper_bound == 0);
}

static void cost_add(cost* sum, const apart_result* r, double seconds) {
    sum->queries++;
    sum->nodes += r->visits;
    sum->triangles += r->iterations;
    sum->seconds += seconds;
}

static void cost_print(const cost* c) {
    double n = c->queries > 0 ? c->queries : 1, nodes = c->nodes / n, triangles = c->triangles / n;
    printf("%8.0f %10.0f %10.1f %10.1f %12.1f\n", c->queries, nodes, triangles, 1e6 * c->seconds / n,
           1e3 * (nodes / DECSTATION_NODES + triangles / DECSTATION_TRIANGLES));
}

// All placements at one error; the queries go to the bins of their distances. False if an answer was wrong.
static bool measure_all(const chess* c, const placement* places, size_t count, double alpha, const double* truth,
                        const double* ends, cost* bins) {
    apart_query query = apart_query_default();
    query.method = APART_METHOD_SPHERES;
    query.relative_error = alpha;
    bool good = true;
    for (size_t i = 0; i < count * PIECES; i++) {
        apart_result result;
        double seconds = 0;
        if (measure(c, &places[i / PIECES], (int)(i % PIECES), &query, &seconds, &result)) return false;
        good = good && is_right(&result, alpha, truth[i]);
        size_t bin = 0;
        while (truth[i] > ends[bin]) bin++;
        cost_add(&bins[bin], &result, seconds);
    }
    return good;
}

static bool graph_1(const chess* c, const placement* places, size_t count, const double* truth) {
    static const double alphas[] = {0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9, 1};
    static const double all[] = {INFINITY};
    bool good = true;
    cost exact = {0}, rough = {0};
    puts("\nGraph 1: relative error");
    puts("  error  queries      nodes  triangles         us   ms in 1994");
    for (size_t i = 0; i < sizeof alphas / sizeof alphas[0]; i++) {
        cost sum = {0};
        good = measure_all(c, places, count, alphas[i], truth, all, &sum) && good;
        printf("%5.1f %%", 100 * alphas[i]);
        cost_print(&sum);
        if (alphas[i] == 0) exact = sum;
        if (alphas[i] == 0.2) rough = sum;
    }
    printf("exact over 20 %%: nodes x%.0f, triangles x%.0f, time x%.0f (paper: about two orders of magnitude)\n",
           exact.nodes / rough.nodes, exact.triangles / rough.triangles, exact.seconds / rough.seconds);
    puts(
        "paper at 20 %: 2.0 ms. \"ms in 1994\": our tests at his 80,000 node pairs and 11,000 triangle pairs a second");
    return good;
}

static bool graph_2(const chess* c, const placement* places, size_t count, const double* truth) {
    static const double ends[] = {0, 2, 5, 10, 20, 50, 100, INFINITY};
    enum { BINS = sizeof ends / sizeof ends[0] };
    cost bins[BINS] = {{0}};
    bool good = measure_all(c, places, count, 0.2, truth, ends, bins);
    puts("\nGraph 2: distance, at 20 %");
    puts("up to  queries      nodes  triangles         us   ms in 1994");
    for (int i = 0; i < BINS; i++) {
        printf("%5.0f  ", ends[i]);
        cost_print(&bins[i]);
    }
    puts("0 = the piece meets another. Paper: a lot more tests where the pieces are close");
    return good;
}

// -------------------------------------------------------------------------------------------- leaves as the bodies
// ----

// Trees in coordinates of the unit ball: lengths divided by UNIT. The label of a leaf is its own number.
#define UNIT 256.0

typedef struct forest {
    sphere_tree tree[PIECES];
    size_t leaves;
} forest;

static void forest_free(forest* f) {
    for (int i = 0; i < PIECES; i++) apart_spheres_free(&f->tree[i]);
}

static bool plant(const surface* s, double radius, sphere_tree* tree) {
    meter silent = {0};
    apart_vec3* stored = malloc(s->vertex_count * sizeof *stored);
    if (!stored) return false;
    for (size_t i = 0; i < s->vertex_count; i++) stored[i] = vec3_scale(1 / UNIT, s->vertices[i]);
    bool good = apart_spheres_build(stored, (const uint32_t(*)[3])s->triangles, (uint32_t)s->triangle_count,
                                    radius / UNIT, &silent, tree, NULL);
    free(stored);
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (tree->node[i].child == 0) tree->node[i].triangle = i;
    return good;
}

static bool forest_plant(const chess* c, double radius, forest* f) {
    bool good = true;
    *f = (forest){0};
    for (int i = 0; i < PIECES; i++) {
        good = good && plant(&c->surface[i], radius, &f->tree[i]);
        f->leaves += f->tree[i].leaf_count;
    }
    if (!good) forest_free(f);
    return good;
}

typedef struct two_trees {
    const sphere_tree *a, *b;
    const sphere_frame* frame;
} two_trees;

// The distance of two nodes' spheres.
static double node_distance(void* context, uint32_t node_a, uint32_t node_b) {
    const two_trees* t = context;
    const sphere_node *p = &t->a->node[node_a], *q = &t->b->node[node_b];
    vec3 at = vec3_scale(UNIT, mat3_mul(t->frame->rotation_a, p->center));
    vec3 to = vec3_scale(UNIT, mat3_mul(t->frame->rotation_b, q->center));
    double centers = vec3_length(vec3_sub(vec3_add(at, t->frame->offset), to));
    return fmax(0, centers - UNIT * (p->radius + q->radius));
}

// Piece `which` against the others, the nearest root first; returns the nodes tested.
static double search_leaves(const forest* f, const placement* p, int which, double alpha) {
    sphere_frame frames[PIECES];
    double gap[PIECES], nodes = PIECES - 1;
    sphere_goal goal = {.relative_error = alpha, .cutoff = INFINITY, .best = INFINITY};
    for (int i = 0; i < PIECES; i++) {
        frames[i] = (sphere_frame){&p->pose[which].rotation,
                                   &p->pose[i].rotation,
                                   UNIT,
                                   UNIT,
                                   vec3_sub(p->pose[which].translation, p->pose[i].translation),
                                   0};
        two_trees roots = {&f->tree[which], &f->tree[i], &frames[i]};
        gap[i] = i == which ? INFINITY : node_distance(&roots, 0, 0);
    }
    for (;;) {
        int nearest = 0;
        for (int i = 1; i < PIECES; i++)
            if (gap[i] < gap[nearest]) nearest = i;
        if (gap[nearest] >= (1 - alpha) * goal.best) return nodes;
        two_trees trees = {&f->tree[which], &f->tree[nearest], &frames[nearest]};
        sphere_outcome out;
        apart_spheres_search(trees.a, trees.b, trees.frame, &goal, node_distance, &trees, &out);
        goal.best = out.upper;
        nodes += (double)out.node_tests;
        gap[nearest] = INFINITY;
    }
}

static int compare_numbers(const void* p, const void* q) {
    const double *a = p, *b = q;
    return (*a > *b) - (*a < *b);
}

// The average over all placements, and the median: a few pieces that almost touch weigh on the average.
static double search_all(const forest* f, const placement* places, size_t count, double alpha, double* median) {
    size_t queries = count * PIECES;
    double *nodes = malloc(queries * sizeof *nodes), sum = 0;
    if (!nodes) return NAN;
    for (size_t i = 0; i < queries; i++) {
        nodes[i] = search_leaves(f, &places[i / PIECES], (int)(i % PIECES), alpha);
        sum += nodes[i];
    }
    qsort(nodes, queries, sizeof *nodes, compare_numbers);
    *median = nodes[queries / 2];
    free(nodes);
    return sum / (double)queries;
}

static bool graph_3(const chess* c, const placement* places, size_t count) {
    static const double radii[] = {4, 2, 1, 0.5, 0.25, 0.125};
    double last = 0, last_leaves = 0;
    puts("\nGraph 3: number of leaves, which are the bodies here");
    puts("               nodes at 20 %                      at 1 %");
    puts("radius   leaves  average  median  more a doubling  average  median");
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
        forest f;
        if (!forest_plant(c, radii[i], &f)) return false;
        double median = 0, fine_median = 0, leaves = (double)f.leaves;
        double nodes = search_all(&f, places, count, 0.2, &median);
        double fine = search_all(&f, places, count, 0.01, &fine_median);
        printf("%6g %8.0f %8.0f %7.0f", radii[i], leaves, nodes, median);
        if (i == 0)
            printf("%17s", "");
        else
            printf("%17.1f", (median - last) / log2(leaves / last_leaves));
        printf(" %8.0f %7.0f\n", fine, fine_median);
        last = median;
        last_leaves = leaves;
        forest_free(&f);
    }
    puts("\"more a doubling\": of the median, each time that the number of leaves doubles. Paper: nodes in proportion "
         "to the");
    puts("logarithm of the leaves at 20 %, that is, equally many more a doubling; not at very small errors");
    return true;
}

bool paper_quinlan(bool quick) {
    size_t count = quick ? 20 : 100, many = quick ? 100 : 2000;
    puts("\n(f) Quinlan 1994: each of six chess pieces against the union of the other five");
    chess c;
    if (!chess_load(&c)) return false;
    printf("%zu triangles, %zu leaves of radius %g, built in %.3f s (paper: about 12,000, 34,461, 6.4 s)\n",
           c.triangles, c.leaves, LEAF_RADIUS, c.build);
    placement* places = place(many, 1994);
    double* truth = malloc(many * PIECES * sizeof *truth);
    bool good = places && truth && measure_truth(&c, places, many, truth);
    good = good && graph_1(&c, places, count, truth);
    good = good && graph_2(&c, places, many, truth);
    good = good && graph_3(&c, places, count);
    if (!good) puts("WRONG OR MISSING ANSWERS");
    free(truth);
    free(places);
    chess_free(&c);
    return good;
}
