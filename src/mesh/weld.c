#include "mesh/weld.h"

#include "base/forest.h"
#include "base/memory.h"
#include "base/sort.h"
#include "body/distinct.h"

/// Nanoseconds: a vertex in one round of the slow sorting.
#define HEAP_WORK 30.0

typedef struct welding {
    const vec3* vertex;
    uint32_t count;
    uint32_t *point, *points;
    meter* meter;
} welding;

/// The order of the fallback: by coordinates, ties by index.
static bool comes_before(const vec3* vertex, uint32_t a, uint32_t b) {
    vec3 p = vertex[a], q = vertex[b];
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    return p.z != q.z ? p.z < q.z : a < b;
}

/// Lets the entry at `root` sink to its place in a heap with the last one on top.
static void sink(const vec3* vertex, uint32_t* heap, size_t root, size_t count) {
    uint32_t moved = heap[root];
    for (size_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && comes_before(vertex, heap[child], heap[child + 1])) child++;
        if (!comes_before(vertex, moved, heap[child])) break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = moved;
}

/// Numbers the points by sorting the vertices (heapsort): slow, but n log n for all inputs. `order` has room for all.
static bool number_by_sorting(const welding* w, uint32_t* order) {
    size_t count = w->count;
    double step = HEAP_WORK * rounds_of(count);
    meter_more(w->meter, step * (double)count);
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (size_t i = count / 2; i-- > 0;) {
        sink(w->vertex, order, i, count);
        if (!meter_item(w->meter, i, HEAP_WORK)) return false;
    }
    for (size_t i = count; i-- > 1;) {
        uint32_t last = order[0];
        order[0] = order[i];
        order[i] = last;
        sink(w->vertex, order, 0, i);
        if (!meter_item(w->meter, i, step)) return false;
    }
    *w->points = 0;
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && same_point(w->vertex[order[i - 1]], w->vertex[order[i]]);
        w->point[order[i]] = same ? *w->points - 1 : (*w->points)++;
    }
    return true;
}

/// The slot where the search for a point begins.
static uint64_t first_slot(vec3 p, uint64_t size) { return (hash_point(p) >> 32) * size >> 32; }

/// So many vertices ahead, their slots are asked for: large tables are not in the cache.
#define AHEAD 16u

static void prefetch(const uint32_t* slot) {
#if defined(__GNUC__)
    __builtin_prefetch(slot, 1);
#else
    (void)slot;
#endif
}

/// Numbers the points as they come, by an open hash table of `size` slots: 0, or the first vertex at a point plus 1.
/// False if it stumbles too often: chance makes less than one wrong slot per vertex, so that 16 are ill will.
static bool number_by_hashing(const welding* w, uint32_t* table, uint64_t size) {
    uint64_t patience = 16 * (uint64_t)w->count + 256, ahead[AHEAD] = {0};
    for (uint64_t i = 0; i < (uint64_t)w->count + AHEAD; i++) {
        uint64_t slot = ahead[i % AHEAD];
        if (i < w->count) prefetch(&table[ahead[i % AHEAD] = first_slot(w->vertex[i], size)]);
        if (i < AHEAD) continue;
        uint32_t v = (uint32_t)(i - AHEAD);
        while (table[slot] && !same_point(w->vertex[table[slot] - 1], w->vertex[v])) {
            slot = slot + 1 < size ? slot + 1 : 0;
            if (patience-- == 0) return false;
        }
        w->point[v] = table[slot] ? w->point[table[slot] - 1] : (*w->points)++;
        if (!table[slot]) table[slot] = v + 1;
        if (!meter_item(w->meter, v, WELD_WORK)) return false;
    }
    return true;
}

bool apart_weld(const vec3* vertex, uint32_t count, uint32_t* point, uint32_t* points, meter* m) {
    welding w = {.vertex = vertex, .count = count, .points = points, .meter = m};
    w.point = point;
    // Three slots a vertex, but at most what 32 bits of the hash can reach; more than there are vertices in any case.
    uint64_t size = 3 * (uint64_t)count + 1;
    if (size > (uint64_t)1 << 32) size = (uint64_t)1 << 32;
    uint32_t* table = large_memory(size, sizeof *table, m);
    *points = 0;
    bool ok = table != NULL;
    if (ok && !number_by_hashing(&w, table, size)) ok = !m->cancelled && number_by_sorting(&w, table);
    free(table);
    return ok;
}

// ------------------------------------------------------------------------------------------- places that are near ----

typedef struct near_search {
    const vec3* vertex;
    const uint32_t* corner; // places are vertex[corner[i]]
    uint32_t count;
    double width;
    uint32_t* first; // a forest
    uint32_t* table; // 0, or the first place of a cell plus 1; two slots a place
    meter* meter;
} near_search;

static vec3 near_place(const near_search* s, uint32_t i) { return s->vertex[s->corner[i]]; }

/// The cell of a place in one of eight grids of cells 2 width wide: moved by half a cell, or not, along each axis.
/// Zero, which noise likes to surround, is inside a cell of all.
static vec3 near_cell(const near_search* s, uint32_t i, int grid) {
    const vec3 shift = {grid & 1 ? 0.75 : 0.25, grid & 2 ? 0.75 : 0.25, grid & 4 ? 0.75 : 0.25};
    vec3 p = vec3_add(vec3_scale(0.5 / s->width, near_place(s, i)), shift);
    return vec3_make(floor(p.x), floor(p.y), floor(p.z));
}

/// Unites the places of each cell of a grid, and counts those that are not the first of theirs. Where too
/// many collide in the table, as no chance makes them, places stay as they are.
static bool unite_cells(const near_search* s, int grid, uint32_t* shared) {
    uint64_t size = 2 * (uint64_t)s->count + 1, patience = 32 * (uint64_t)s->count + 256, ahead[AHEAD] = {0};
    memset(s->table, 0, (size_t)size * sizeof *s->table);
    for (uint64_t k = 0; k < (uint64_t)s->count + AHEAD; k++) {
        uint64_t slot = ahead[k % AHEAD];
        if (k < s->count) prefetch(&s->table[ahead[k % AHEAD] = first_slot(near_cell(s, (uint32_t)k, grid), size)]);
        if (k < AHEAD) continue;
        uint32_t i = (uint32_t)(k - AHEAD);
        vec3 cell = near_cell(s, i, grid);
        while (s->table[slot] && !same_point(near_cell(s, s->table[slot] - 1, grid), cell)) {
            slot = slot + 1 < size ? slot + 1 : 0;
            if (patience-- == 0) return true;
        }
        *shared += s->table[slot] != 0;
        if (s->table[slot] == 0) s->table[slot] = i + 1;
        forest_unite(s->first, s->table[slot] - 1, i);
        if (!meter_item(s->meter, i, WELD_WORK)) return false;
    }
    return true;
}

/// Takes the groups apart again that are too wide along an axis: a row of places, not one. `lower` is room for all.
static void part_rows(const near_search* s, int axis, double* lower) {
    const vec3 along = {axis == 0, axis == 1, axis == 2};
    for (uint32_t i = 0; i < s->count; i++) {
        double at = vec3_dot(along, near_place(s, i));
        uint32_t root = s->first[i] = forest_root(s->first, i);
        lower[root] = root == i ? at : smaller(lower[root], at);
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (vec3_dot(along, near_place(s, i)) - lower[s->first[i]] > WELD_WIDEST * s->width)
            lower[s->first[i]] = -INFINITY;
    for (uint32_t i = 0; i < s->count; i++)
        if (lower[s->first[i]] == -INFINITY) s->first[i] = i;
}

// Of so many places, if fewer than one in so many shares its cell with another one, most are alone: scattered
// triangles. The other grids, which find those few that the first one parts, are not worth their time then.
#define MANY 65536u
#define HOPELESS 1024u

bool apart_weld_near(const vec3* vertex, const uint32_t* corner, uint32_t count, double width, uint32_t* first,
                     meter* m) {
    double* scratch = room((uint64_t)count + 1, sizeof *scratch);
    if (!scratch) return false;
    const near_search s = {vertex, corner, count, width, first, (uint32_t*)(void*)scratch, m};
    bool ok = true;
    for (uint32_t i = 0; i < count; i++) first[i] = i;
    meter_more(m, 8 * WELD_WORK * count);
    uint32_t shared = 0;
    for (int grid = 0; ok && grid < 8; grid++) {
        ok = unite_cells(&s, grid, &shared);
        if (count > MANY && shared < count / HOPELESS) break;
    }
    for (int axis = 0; ok && shared > 0 && axis < 3; axis++) part_rows(&s, axis, scratch);
    free(scratch);
    return ok;
}
