// What a mesh is like: equal points, stray points, area, volume, and which way its triangles are turned.
//
// Points with equal coordinates are one. Every edge keeps how many triangles run through it, and how many more in one
// direction than in the other; triangles that share an edge are one component (union-find). Area and volume are sums
// over the triangles, the volume of the tetrahedra under them seen from a point of the component, with the compensation
// of Neumaier 1974. Differences of points are scaled by a power of two to below 1, so that products neither overflow
// nor vanish; the result is scaled back at the end.
#include "apart/io.h"
#include "weld.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------------- equal points ----

// The lowest number of an equal point, for every point; returns how many are different, or 0 when out of memory.
static size_t find_equal(const apart_io_mesh* mesh, uint32_t* same) {
    apart_vec3* points = malloc(mesh->vertex_count * sizeof *points);
    weld table = {0};
    bool ok = points && weld_reserve(&table, mesh->vertex_count);
    size_t distinct = 0;
    for (size_t i = 0; ok && i < mesh->vertex_count; i++) {
        const apart_vec3 p = mesh->vertices[i];
        same[i] = weld_find(&table, points, distinct, p, weld_hash(p));
        ok = same[i] != WELD_FAILED;
        if (ok && same[i] == distinct) points[distinct++] = p;
    }
    weld_free(&table);
    free(points);
    return ok ? distinct : 0;
}

static bool count_unused(const apart_io_mesh* mesh, size_t* unused) {
    uint32_t* used = malloc(mesh->vertex_count * sizeof *used);
    if (!used) return false;
    *unused = mesh->vertex_count - apart_io_used(mesh, used);
    free(used);
    return true;
}

// -------------------------------------------------------------------------------------------------------- edges ----

typedef struct edge {
    uint32_t low, high; // the numbers of its ends
    uint32_t triangle;  // one that it belongs to
    uint32_t count;     // of triangles; 0 = a free slot
    int32_t turn;       // those from low to high less those from high to low
} edge;

// All edges, in a table with open addressing.
typedef struct edge_table {
    edge* edges;
    size_t slots; // a power of two, at least twice the number of edges
} edge_table;

static edge* edge_find(const edge_table* table, uint32_t low, uint32_t high) {
    uint64_t h = ((uint64_t)low << 32 | high) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 32) * 0xbf58476d1ce4e5b9u;
    size_t i = (size_t)(h ^ h >> 32) & (table->slots - 1);
    while (table->edges[i].count && (table->edges[i].low != low || table->edges[i].high != high))
        i = (i + 1) & (table->slots - 1);
    return &table->edges[i];
}

// The representative of a component, with the way to it halved.
static uint32_t root_of(uint32_t* parent, uint32_t t) {
    while (parent[t] != t) t = parent[t] = parent[parent[t]];
    return t;
}

// Enters the edge from a to b of triangle t, and joins t with the component that the edge belongs to.
static void add_edge(const edge_table* table, uint32_t* parent, uint32_t a, uint32_t b, uint32_t t) {
    const uint32_t low = a < b ? a : b;
    const uint32_t high = a < b ? b : a;
    edge* e = edge_find(table, low, high);
    if (e->count == 0) *e = (edge){.low = low, .high = high, .triangle = t};
    e->count++;
    e->turn += a < b ? 1 : -1;
    const uint32_t r = root_of(parent, t);
    const uint32_t s = root_of(parent, e->triangle);
    if (r < s) parent[s] = r;
    if (s < r) parent[r] = s;
}

// ----------------------------------------------------------------------------------------------- area and volume ----

// A sum, what its roundings have lost, and how far its terms may be off together.
typedef struct total {
    double sum, lost, error;
} total;

static void total_add(total* t, double x) {
    const double sum = t->sum + x;
    t->lost += fabs(t->sum) >= fabs(x) ? (t->sum - sum) + x : (x - sum) + t->sum;
    t->sum = sum;
}

// The power of two that brings differences of points below 1.
static int find_exponent(const apart_io_mesh* mesh) {
    const apart_vec3 o = mesh->vertices[mesh->triangles[0]];
    double largest = 0;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
        const apart_vec3 p = mesh->vertices[mesh->triangles[i]];
        largest = fmax(largest, fmax(fabs(p.x - o.x), fmax(fabs(p.y - o.y), fabs(p.z - o.z))));
    }
    int exponent = 0;
    frexp(2 * largest, &exponent);
    // 2^1000 is a double; what is smaller than its inverse is left as it is.
    return exponent > -1000 ? exponent : -1000;
}

// (a - b) * scale
static apart_vec3 between(apart_vec3 a, apart_vec3 b, double scale) {
    return (apart_vec3){(a.x - b.x) * scale, (a.y - b.y) * scale, (a.z - b.z) * scale};
}
static double dot(apart_vec3 a, apart_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static apart_vec3 cross(apart_vec3 a, apart_vec3 b) {
    return (apart_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// ---------------------------------------------------------------------------------------------------- the survey ----

// What the triangles are looked at with; all arrays belong to it.
typedef struct sheet {
    const apart_io_mesh* mesh;
    uint32_t* same;   // of each point, the number of its place
    uint32_t* parent; // of each triangle, towards the first of its component
    bool* open;       // of each first triangle: its component has open edges
    total* volume;    // of each first triangle: six times the volume of its component
    edge_table table;
} sheet;

static void sheet_free(sheet* s) {
    free(s->same);
    free(s->parent);
    free(s->open);
    free(s->volume);
    free(s->table.edges);
}

static bool sheet_make(const apart_io_mesh* mesh, sheet* s) {
    const size_t count = mesh->triangle_count;
    *s = (sheet){.mesh = mesh, .same = malloc(mesh->vertex_count * sizeof *s->same)};
    if (!s->same || count == 0) return s->same;
    s->table.slots = 16;
    while (s->table.slots < 6 * count) s->table.slots *= 2;
    s->table.edges = calloc(s->table.slots, sizeof *s->table.edges);
    s->parent = malloc(count * sizeof *s->parent);
    s->open = calloc(count, sizeof *s->open);
    s->volume = calloc(count, sizeof *s->volume);
    return s->table.edges && s->parent && s->open && s->volume;
}

// Enters the edges of all triangles that have three corners, and tells what they say.
static void look_at_edges(sheet* s, apart_io_survey* found) {
    const apart_io_mesh* m = s->mesh;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        const uint32_t* c = m->triangles + 3 * (size_t)t;
        const uint32_t a = s->same[c[0]], b = s->same[c[1]], d = s->same[c[2]];
        s->parent[t] = t;
        if (a == b || b == d || d == a) continue;
        add_edge(&s->table, s->parent, a, b, t);
        add_edge(&s->table, s->parent, b, d, t);
        add_edge(&s->table, s->parent, d, a, t);
    }
    for (const edge* e = s->table.edges; e < s->table.edges + s->table.slots; e++) {
        if (e->count == 0) continue;
        if (e->count % 2) s->open[root_of(s->parent, e->triangle)] = true;
        found->twisted_edges += (uint32_t)abs(e->turn) != e->count % 2;
    }
}

// The determinant of p, u and v with every product positive.
static double permanent(apart_vec3 p, apart_vec3 u, apart_vec3 v) {
    return fabs(p.x) * (fabs(u.y * v.z) + fabs(u.z * v.y)) + fabs(p.y) * (fabs(u.z * v.x) + fabs(u.x * v.z)) +
           fabs(p.z) * (fabs(u.x * v.y) + fabs(u.y * v.x));
}

// Adds six times the volume of the tetrahedron over p, u and v; n = u x v. A product of three differences has at most
// six roundings before the sums and three in them: less than 16 * 2^-53 of the sum of the products' sizes, which itself
// is rounded.
static void add_volume(total* t, apart_vec3 p, apart_vec3 u, apart_vec3 v, apart_vec3 n) {
    total_add(t, dot(p, n));
    t->error += 0x1p-49 * permanent(p, u, v);
}

static void sum_triangles(sheet* s, double scale, total* area, total* rest) {
    const apart_io_mesh* m = s->mesh;
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        const uint32_t* c = m->triangles + 3 * (size_t)t;
        const apart_vec3 a = m->vertices[c[0]];
        const apart_vec3 u = between(m->vertices[c[1]], a, scale);
        const apart_vec3 v = between(m->vertices[c[2]], a, scale);
        const apart_vec3 n = cross(u, v);
        const uint32_t root = root_of(s->parent, t);
        const uint32_t seen_from = s->open[root] ? 0 : root;
        const apart_vec3 p = between(a, m->vertices[m->triangles[3 * (size_t)seen_from]], scale);
        total_add(area, sqrt(dot(n, n)));
        add_volume(s->open[root] ? rest : &s->volume[root], p, u, v, n);
    }
}

// Counts a component by the sign of its volume, if that is certain, and adds it to that of the others.
static void add_component(const total* t, total* volume, apart_io_survey* found) {
    const double sum = t->sum + t->lost;
    found->outward += sum > t->error;
    found->inward += sum < -t->error;
    total_add(volume, sum);
}

static void sum_up(sheet* s, apart_io_survey* found) {
    const int exponent = find_exponent(s->mesh);
    total area = {0};
    total rest = {0}; // of all components with open edges
    total volume = {0};
    sum_triangles(s, ldexp(1, -exponent), &area, &rest);
    add_component(&rest, &volume, found);
    for (size_t t = 0; t < s->mesh->triangle_count; t++) add_component(&s->volume[t], &volume, found);
    found->area = ldexp((area.sum + area.lost) / 2, 2 * exponent);
    found->volume = ldexp((volume.sum + volume.lost) / 6, 3 * exponent);
}

apart_status apart_io_look(const apart_io_mesh* mesh, apart_io_survey* survey) {
    if (!mesh || !survey) return APART_INVALID;
    apart_io_survey found = {0};
    *survey = found;
    if (mesh->vertex_count == 0) return APART_OK;
    sheet s;
    bool ok = sheet_make(mesh, &s);
    if (ok) found.distinct = find_equal(mesh, s.same);
    ok = ok && found.distinct > 0 && count_unused(mesh, &found.unused);
    if (ok && mesh->triangle_count > 0) {
        look_at_edges(&s, &found);
        sum_up(&s, &found);
    }
    sheet_free(&s);
    if (!ok) return APART_OUT_OF_MEMORY;
    *survey = found;
    return APART_OK;
}
