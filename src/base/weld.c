// Equal or near vertices made one, by hashing or by sorting.
#include "base/weld.h"

#include "base/forest.h"
#include "base/memory.h"
#include "base/sort.h"

/// Places that are looked at: of vertices, or of some of them.
typedef struct welding {
    const vec3* vertex;
    const uint32_t* corner; // places are vertex[corner[i]], or vertex[i] if this is NULL
    uint32_t count;
    double width;    // of what counts as one place; 0 = equal places only
    uint32_t* first; // a forest: places that are one
    uint32_t* table; // an open hash table: 0, or the first place with a key plus 1
    uint64_t size;   // of it, more than there are places
    meter* meter;
} welding;

static vec3 place_of(const welding* w, uint32_t i) { return w->vertex[w->corner ? w->corner[i] : i]; }

/// What places must have in common: themselves, or their cell in one of eight grids of cells 2 width wide, moved by
/// half a cell, or not, along each axis. Zero, which noise likes to surround, is inside a cell of all.
static vec3 key_of(const welding* w, uint32_t i, int grid) {
    vec3 p = place_of(w, i);
    if (w->width == 0) return p;
    const vec3 shift = {grid & 1 ? 0.75 : 0.25, grid & 2 ? 0.75 : 0.25, grid & 4 ? 0.75 : 0.25};
    p = vec3_add(vec3_scale(0.5 / w->width, p), shift);
    return vec3_make(floor(p.x), floor(p.y), floor(p.z));
}

/// The slot where the search for a key begins.
static uint64_t first_slot(vec3 key, uint64_t size) { return (hash_point(key) >> 32) * size >> 32; }

/// Unites the places with the same key, and counts those that are not the first with theirs. False if the meter ends
/// the work, or after too many wrong slots: chance makes less than one for each place.
static bool unite_equal(const welding* w, int grid, uint32_t* shared) {
    uint64_t wrong_slots = 16 * (uint64_t)w->count + 256;
    for (uint32_t i = 0; i < w->count; i++) {
        vec3 key = key_of(w, i, grid);
        uint64_t slot = first_slot(key, w->size);
        while (w->table[slot] && !vec3_equal(key_of(w, w->table[slot] - 1, grid), key)) {
            slot = slot + 1 < w->size ? slot + 1 : 0;
            if (wrong_slots-- == 0) return false;
        }
        *shared += w->table[slot] != 0;
        if (w->table[slot] == 0) w->table[slot] = i + 1;
        forest_unite(w->first, w->table[slot] - 1, i);
        if (!meter_item(w->meter, i, WELD_WORK)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------- equal places ----

/// Unites equal places by sorting them: slower, but n log n for all inputs.
static bool unite_sorted(const welding* w) {
    uint32_t* order = large_memory(w->count, sizeof *order, w->meter);
    if (!order) return false;
    for (uint32_t i = 0; i < w->count; i++) order[i] = i;
    sort_numbers(order, w->count, point_is_before, w->vertex);
    for (uint32_t i = 0; i < w->count; i++) {
        bool same = i > 0 && vec3_equal(w->vertex[order[i - 1]], w->vertex[order[i]]);
        w->first[order[i]] = same ? w->first[order[i - 1]] : order[i];
    }
    free(order);
    return true;
}

bool apart_weld(const vec3* vertex, uint32_t count, uint32_t* point, uint32_t* points, meter* m) {
    // Three slots a vertex, but at most what 32 bits of the hash can reach.
    uint64_t size = 3 * (uint64_t)count + 1;
    if (size > (uint64_t)1 << 32) size = (uint64_t)1 << 32;
    const welding w = {.vertex = vertex,
                       .count = count,
                       .first = point,
                       .table = large_memory(size, sizeof(uint32_t), m),
                       .size = size,
                       .meter = m};
    uint32_t shared = 0;
    for (uint32_t v = 0; v < count; v++) point[v] = v;
    bool ok = w.table && (unite_equal(&w, 0, &shared) || (!m->cancelled && unite_sorted(&w)));
    free(w.table);
    // Each vertex points at itself or at a lower one, which has its number already.
    *points = 0;
    for (uint32_t v = 0; ok && v < count; v++) point[v] = point[v] == v ? (*points)++ : point[point[v]];
    return ok;
}

// -------------------------------------------------------------------------------------------------- near places ----

/// Takes the groups apart again that are too wide along an axis: a row of places, not one. `lower` is room for all.
static void part_rows(const welding* w, int axis, double* lower) {
    const vec3 along = {axis == 0, axis == 1, axis == 2};
    for (uint32_t i = 0; i < w->count; i++) {
        double at = vec3_dot(along, place_of(w, i));
        uint32_t root = w->first[i] = forest_root(w->first, i);
        lower[root] = root == i ? at : smaller(lower[root], at);
    }
    for (uint32_t i = 0; i < w->count; i++)
        if (vec3_dot(along, place_of(w, i)) - lower[w->first[i]] > WELD_WIDEST * w->width)
            lower[w->first[i]] = -INFINITY;
    for (uint32_t i = 0; i < w->count; i++)
        if (lower[w->first[i]] == -INFINITY) w->first[i] = i;
}

// Of so many places, if fewer than one in so many shares its cell with another one, most are alone: scattered
// triangles. The other grids, which find those few that the first one parts, are not worth their time then.
#define MANY 65536u
#define HOPELESS 1024u

bool apart_weld_near(const vec3* vertex, const uint32_t* corner, uint32_t count, double width, uint32_t* first,
                     meter* m) {
    // Two slots a place, and later a number for each.
    double* scratch = room((uint64_t)count + 1, sizeof *scratch);
    if (!scratch) return false;
    const welding w = {vertex, corner, count, width, first, (uint32_t*)(void*)scratch, 2 * (uint64_t)count + 1, m};
    uint32_t shared = 0;
    for (uint32_t i = 0; i < count; i++) first[i] = i;
    meter_more(m, 8 * WELD_WORK * count);
    for (int grid = 0; grid < 8 && !m->cancelled; grid++) {
        memset(w.table, 0, (size_t)w.size * sizeof *w.table);
        // Where too many collide in the table, as no chance makes them, places stay as they are.
        unite_equal(&w, grid, &shared);
        if (count > MANY && shared < count / HOPELESS) break;
    }
    for (int axis = 0; shared > 0 && axis < 3; axis++) part_rows(&w, axis, scratch);
    free(scratch);
    return !m->cancelled;
}
