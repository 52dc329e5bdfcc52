// Quinlan 1994: the tree of a letter's outline (Fig. 1); six chess pieces in a cube (Fig. 2), each measured against the
// union of the other five.
//
// Graph 1: tests of nodes and triangles over the relative error. Graph 2: over the distance, at 20 %. Graph 3: nodes
// searched over the number of leaves, where the leaf spheres themselves are the bodies. Fig. 1 and Graph 3 use the tree
// from inside (papers/quinlan1994.h), the others the public interface.
#include "lab.h"

#include "../machine.h"
#include "../surface.h"
#include "papers/quinlan1994.h"

#include <stdlib.h>

#define PIECES 6
#define CUBE 500.0
#define LEAF_RADIUS 2.0
#define PLACES 100
#define MANY_PLACES 2000
#define DECSTATION_NODES 80000.0 // node pairs a second, then
#define DECSTATION_TRIANGLES 11000.0

static const char* const NAMES[PIECES] = {"king", "queen", "rook", "bishop", "knight", "pawn"};

// --------------------------------------------------------------------------------------------------------- Fig. 1 ----

#define LETTER_MOST 128
#define LETTER_RADIUS 0.1

// The outline of a "g": a bowl with a stem and a hook, and the hole in the bowl.
typedef struct letter {
    apart_vec3 corner[LETTER_MOST];
    uint32_t edge[LETTER_MOST][3]; // triangles without area
    uint32_t corners, edges;
} letter;

static void add_arc(letter* g, double y, double x, double radius, double from, double to, int steps) {
    for (int i = 0; i <= steps; i++) {
        apart_vec3 p = on_circle(radius, from + (to - from) * i / steps, 0);
        g->corner[g->corners++] = (apart_vec3){p.x + x, p.y + y, 0};
    }
}

// Joins the corners since `first` to a closed line.
static void close_line(letter* g, uint32_t first) {
    for (uint32_t i = first; i < g->corners; i++) {
        uint32_t next = i + 1 < g->corners ? i + 1 : first;
        g->edge[g->edges][0] = i;
        g->edge[g->edges][1] = g->edge[g->edges][2] = next;
        g->edges++;
    }
}

static letter make_letter(void) {
    letter g = {.corners = 0};
    g.corner[g.corners++] = (apart_vec3){0.7, 1, 0};
    g.corner[g.corners++] = (apart_vec3){1.1, 1, 0};
    add_arc(&g, -1.2, 0.1, 1, 0, -150, 14);
    add_arc(&g, -1.2, 0.1, 0.6, -150, 0, 12);
    add_arc(&g, 0, 0, 1, -45.57, -314.43, 22);
    close_line(&g, 0);
    uint32_t hole = g.corners;
    add_arc(&g, 0, 0, 0.6, 0, 340, 17);
    close_line(&g, hole);
    return g;
}

// The spheres on a level of the tree, and leaves above it. level < 0: the leaves.
static void write_level(FILE* csv, const sphere_tree* t, uint32_t node, int level, int wanted, double unit) {
    const sphere_node* n = &t->node[node];
    bool leaf = n->child == 0;
    if (leaf || level == wanted) {
        csv_row(csv, "%d,%.5f,%.5f,%.5f", wanted, unit * n->center.x, unit * n->center.y, unit * n->radius);
        return;
    }
    write_level(csv, t, n->child, level + 1, wanted, unit);
    write_level(csv, t, n->child + 1, level + 1, wanted, unit);
}

static void figure_1(lab* l) {
    const double unit = 4;
    letter g = make_letter();
    meter silent = {0};
    sphere_tree tree = {0};
    apart_vec3 stored[LETTER_MOST];
    FILE *outline = lab_csv(l, "quinlan-letter", "edge,x0,y0,x1,y1"), *csv = lab_csv(l, "quinlan-fig1", "level,x,y,r");
    for (uint32_t i = 0; i < g.corners; i++) stored[i] = vec3_scale(1 / unit, g.corner[i]);
    for (uint32_t i = 0; i < g.edges; i++) {
        apart_vec3 p = g.corner[g.edge[i][0]], q = g.corner[g.edge[i][1]];
        csv_row(outline, "%u,%.5f,%.5f,%.5f,%.5f", i, p.x, p.y, q.x, q.y);
    }
    bool good =
        apart_spheres_build(stored, (const uint32_t(*)[3])g.edge, g.edges, LETTER_RADIUS / unit, &silent, &tree, NULL);
    lab_demand(l, good, "the tree of the letter");
    if (good) {
        write_level(csv, &tree, 0, 0, -1, unit);
        write_level(csv, &tree, 0, 0, 4, unit);
        write_level(csv, &tree, 0, 0, 0, unit);
        lab_count(l, tree.leaf_count, "quinlan.fig1.leaves");
        lab_count(l, (uint64_t)tree.depth + 1, "quinlan.fig1.levels");
        lab_find(l, "Quinlan Fig. 1, leaves, levels", "130, 8", tree.depth + 1 <= 10, "%u, %d", tree.leaf_count,
                 tree.depth + 1);
    }
    apart_spheres_free(&tree);
    csv_close(csv);
    csv_close(outline);
}

// ------------------------------------------------------------------------------------------------- pieces, places ----

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
    fprintf(stderr, "papers: cannot load the pieces: %s\n", error.message);
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

static void figure_2(lab* l, const chess* c, const placement* p) {
    FILE* csv = lab_csv(l, "quinlan-fig2", "piece,x0,y0,z0,x1,y1,z1,x2,y2,z2");
    for (int i = 0; csv && i < PIECES; i++) {
        const surface* s = &c->surface[i];
        for (size_t t = 0; t < s->triangle_count; t++) {
            vec3 q[3];
            for (int k = 0; k < 3; k++)
                q[k] =
                    vec3_add(mat3_mul(&p->pose[i].rotation, s->vertices[s->triangles[t][k]]), p->pose[i].translation);
            csv_row(csv, "%s,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f", NAMES[i], q[0].x, q[0].y, q[0].z, q[1].x,
                    q[1].y, q[1].z, q[2].x, q[2].y, q[2].z);
        }
    }
    csv_close(csv);
}

// ------------------------------------------------------------------------------------------------- Graphs 1 and 2 ----

// Sums over queries.
typedef struct cost {
    uint64_t queries, nodes, triangles;
    double seconds;
} cost;

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
        cost* bin = bins;
        for (const double* end = ends; truth[i] > *end; end++) bin++;
        bin->queries++;
        bin->nodes += (uint64_t)result.visits;
        bin->triangles += (uint64_t)result.iterations;
        bin->seconds += seconds;
    }
    return good;
}

static void cost_row(FILE* csv, double x, const cost* c) {
    double n = c->queries ? (double)c->queries : 1, nodes = (double)c->nodes / n, triangles = (double)c->triangles / n;
    csv_row(csv, "%g,%llu,%.2f,%.3f,%.2f,%.3f", x, (unsigned long long)c->queries, nodes, triangles,
            1e6 * c->seconds / n, 1e3 * (nodes / DECSTATION_NODES + triangles / DECSTATION_TRIANGLES));
}

static void graph_1(lab* l, const chess* c, const placement* places, const double* truth) {
    static const double alphas[] = {0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.9, 1};
    enum { ALPHAS = sizeof alphas / sizeof alphas[0] };
    static const double all[] = {INFINITY};
    FILE* csv = lab_csv(l, "quinlan-graph1", "error,queries,nodes,triangles,us,ms_1994");
    cost exact = {0}, rough = {0};
    for (size_t i = 0; i < ALPHAS; i++) {
        cost sum = {0};
        lab_demand(l, measure_all(c, places, PLACES, alphas[i], truth, all, &sum), "a distance of Graph 1");
        cost_row(csv, alphas[i], &sum);
        lab_count(l, sum.nodes, "quinlan.graph1.%g.nodes", alphas[i]);
        lab_count(l, sum.triangles, "quinlan.graph1.%g.triangles", alphas[i]);
        if (alphas[i] == 0) exact = sum;
        if (alphas[i] == 0.2) rough = sum;
        lab_progress(l, "Quinlan 1994, Graph 1", (double)(i + 1) / ALPHAS);
    }
    csv_close(csv);
    double nodes = (double)exact.nodes / (double)rough.nodes, n = (double)rough.queries;
    lab_find(l, "Quinlan Graph 1, node tests, exact over 20 %", "about two orders of magnitude", nodes > 30, "%.0f",
             nodes);
    lab_find(l, "Quinlan 5, a query at 20 %", "2.0 ms", rough.seconds / n < 2e-3, "%.0f us; %.1f ms at his rates",
             1e6 * rough.seconds / n,
             1e3 * ((double)rough.nodes / DECSTATION_NODES + (double)rough.triangles / DECSTATION_TRIANGLES) / n);
}

static void graph_2(lab* l, const chess* c, const placement* places, size_t count, const double* truth) {
    // The first bin: pieces that meet. A bin is drawn at its end.
    static const double ends[] = {0, 2, 5, 10, 20, 40, 60, 80, 100, 150, 200, INFINITY};
    enum { BINS = sizeof ends / sizeof ends[0] };
    cost bins[BINS] = {{0}};
    FILE* csv = lab_csv(l, "quinlan-graph2", "distance,queries,nodes,triangles,us,ms_1994");
    lab_demand(l, measure_all(c, places, count, 0.2, truth, ends, bins), "a distance of Graph 2");
    for (int i = 0; i < BINS; i++) {
        cost_row(csv, ends[i], &bins[i]);
        lab_count(l, bins[i].nodes, "quinlan.graph2.%g.nodes", ends[i]);
    }
    csv_close(csv);
    double near = (double)(bins[1].nodes + bins[2].nodes) / (double)(bins[1].queries + bins[2].queries);
    double far = (double)bins[BINS - 2].nodes / (double)bins[BINS - 2].queries;
    lab_find(l, "Quinlan Graph 2, node tests below 5 over beyond 150", "a lot more", near > 10 * far, "%.0f / %.0f",
             near, far);
}

// -------------------------------------------------------------------------------------------------------- Graph 3 ----

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
static uint64_t search_leaves(const forest* f, const placement* p, int which, double alpha) {
    sphere_frame frames[PIECES];
    double gap[PIECES];
    uint64_t nodes = PIECES - 1;
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
        nodes += out.node_tests;
        gap[nearest] = INFINITY;
    }
}

static int compare_numbers(const void* p, const void* q) {
    const uint64_t *a = p, *b = q;
    return (*a > *b) - (*a < *b);
}

// Nodes tested over all placements: the sum, and the median, since a few pieces that almost touch weigh on the sum.
static uint64_t search_all(const forest* f, const placement* places, double alpha, uint64_t* middle) {
    static uint64_t nodes[PLACES * PIECES];
    uint64_t sum = 0;
    for (size_t i = 0; i < PLACES * PIECES; i++) {
        nodes[i] = search_leaves(f, &places[i / PIECES], (int)(i % PIECES), alpha);
        sum += nodes[i];
    }
    qsort(nodes, PLACES * PIECES, sizeof *nodes, compare_numbers);
    *middle = nodes[PLACES * PIECES / 2];
    return sum;
}

static void graph_3(lab* l, const chess* c, const placement* places) {
    static const double radii[] = {4, 2, 1, 0.5, 0.25, 0.125};
    // The last two take 3.7 million leaves: only with the clock.
    size_t count = l->rounds ? 6 : 4;
    FILE* csv = lab_csv(l, "quinlan-graph3", "radius,leaves,nodes,median,nodes_1,median_1");
    double leaves[2] = {0, 0}, median[2] = {0, 0}, fine_median[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        forest f;
        bool good = forest_plant(c, radii[i], &f);
        lab_demand(l, good, "the trees of Graph 3");
        if (!good) break;
        uint64_t middle, fine_middle, n = PLACES * PIECES;
        uint64_t nodes = search_all(&f, places, 0.2, &middle), fine = search_all(&f, places, 0.01, &fine_middle);
        csv_row(csv, "%g,%zu,%.1f,%llu,%.1f,%llu", radii[i], f.leaves, (double)nodes / (double)n,
                (unsigned long long)middle, (double)fine / (double)n, (unsigned long long)fine_middle);
        lab_count(l, f.leaves, "quinlan.graph3.%g.leaves", radii[i]);
        lab_count(l, nodes, "quinlan.graph3.%g.nodes", radii[i]);
        leaves[i > 0] = (double)f.leaves;
        median[i > 0] = (double)middle;
        fine_median[i > 0] = (double)fine_middle;
        forest_free(&f);
        lab_progress(l, "Quinlan 1994, Graph 3", (double)(i + 1) / (double)count);
    }
    csv_close(csv);
    lab_find(l, "Quinlan Graph 3, nodes over leaves, 20 %", "in proportion to the log",
             median[1] / median[0] < 1.5 * log(leaves[1]) / log(leaves[0]), "%.0f at %.0f, %.0f at %.0f", median[0],
             leaves[0], median[1], leaves[1]);
    lab_find(l, "Quinlan Graph 3, the same at small errors", "not so", fine_median[1] > 3 * fine_median[0],
             "%.0f, %.0f at 1 %%", fine_median[0], fine_median[1]);
}

static void six_pieces(lab* l, const chess* c) {
    size_t many = l->rounds ? MANY_PLACES : PLACES;
    placement* places = place(many, 1994);
    double* truth = malloc(many * PIECES * sizeof *truth);
    bool good = places && truth && measure_truth(c, places, many, truth);
    lab_demand(l, good, "the distances of the pieces");
    if (good) {
        figure_2(l, c, &places[1]);
        graph_1(l, c, places, truth);
        if (l->rounds) graph_2(l, c, places, many, truth);
        graph_3(l, c, places);
    }
    free(truth);
    free(places);
}

void paper_quinlan(lab* l) {
    figure_1(l);
    chess c;
    bool good = chess_load(&c);
    lab_demand(l, good, "the chess pieces");
    if (!good) return;
    lab_count(l, c.leaves, "quinlan.leaves");
    lab_find(l, "Quinlan 5, triangles, leaves of radius 2", "about 12,000, 34,461",
             c.leaves > 20000 && c.leaves < 50000, "%zu, %zu", c.triangles, c.leaves);
    lab_find(l, "Quinlan 5, trees built in", "6.4 s", c.build < 6.4, "%.3f s", c.build);
    six_pieces(l, &c);
    chess_free(&c);
}
