// A torus knot and a bumpy ball of any number of triangles, all of about the same shape, and the reader of files.
#include "surface.h"

#include "apart/io.h"
#include "base/vec.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

#define TURN (2 * 3.14159265358979323846)

static bool allocate(surface* s, size_t vertices, size_t triangles) {
    *s = (surface){.vertices = malloc(vertices * sizeof s->vertices[0]),
                   .triangles = malloc(triangles * sizeof s->triangles[0])};
    if (s->vertices && s->triangles) return true;
    surface_free(s);
    return false;
}

void surface_free(surface* s) {
    free(s->vertices);
    free(s->triangles);
    memset(s, 0, sizeof *s);
}

static void add_triangle(surface* s, size_t a, size_t b, size_t c) {
    uint32_t* t = s->triangles[s->triangle_count++];
    t[0] = (uint32_t)a;
    t[1] = (uint32_t)b;
    t[2] = (uint32_t)c;
}

// Fills in size and radius. Returns the middle of the box.
static apart_vec3 measure(surface* s) {
    apart_vec3 low = s->vertices[0], high = low;
    s->radius = 0;
    for (size_t i = 0; i < s->vertex_count; i++) {
        apart_vec3 p = s->vertices[i];
        low = (apart_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (apart_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
        s->radius = fmax(s->radius, vec3_length(p));
    }
    s->size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    return vec3_mad(low, 0.5, vec3_sub(high, low));
}

static void make_size_one(surface* s) {
    apart_vec3 middle = measure(s);
    for (size_t i = 0; i < s->vertex_count; i++)
        s->vertices[i] = vec3_scale(1 / s->size, vec3_sub(s->vertices[i], middle));
    measure(s);
}

// -------------------------------------------------------------------------------------------------------- knot ----

// The tube is about ten times as long as it is around, so that many segments a side give triangles as wide as high.
#define TUBE 0.4
#define SEGMENTS_PER_SIDE 10

// Point of the tube at `t` along the knot and `v` around it, both in turns. The knot winds on a torus of radii 2 and 1;
// the torus' normal is where v begins.
static apart_vec3 knot_point(double t, double v) {
    double c2 = cos(2 * TURN * t), s2 = sin(2 * TURN * t), c3 = cos(3 * TURN * t), s3 = sin(3 * TURN * t);
    apart_vec3 centre = {(2 + c3) * c2, (2 + c3) * s2, s3};
    apart_vec3 ahead = {-3 * s3 * c2 - 2 * (2 + c3) * s2, -3 * s3 * s2 + 2 * (2 + c3) * c2, 3 * c3};
    apart_vec3 out = {c3 * c2, c3 * s2, s3};
    apart_vec3 side = vec3_unit(vec3_cross(ahead, out));
    return vec3_mad(vec3_mad(centre, TUBE * cos(TURN * v), out), TUBE * sin(TURN * v), side);
}

bool surface_knot(surface* s, size_t triangles) {
    size_t sides = (size_t)(sqrt((double)triangles / (2 * SEGMENTS_PER_SIDE)) + 0.5);
    size_t segments = triangles / (2 * sides);
    if (!allocate(s, segments * sides, 2 * segments * sides)) return false;
    for (size_t i = 0; i < segments; i++)
        for (size_t j = 0; j < sides; j++) {
            size_t next_i = (i + 1) % segments * sides, next_j = (j + 1) % sides, here = i * sides;
            s->vertices[s->vertex_count++] = knot_point((double)i / (double)segments, (double)j / (double)sides);
            add_triangle(s, here + j, here + next_j, next_i + j);
            add_triangle(s, next_i + j, here + next_j, next_i + next_j);
        }
    make_size_one(s);
    return true;
}

// -------------------------------------------------------------------------------------------------------- blob ----

// The ball is an octahedron, each face cut into n * n triangles, blown up. Its vertices lie on 2 n + 1 rings from pole
// to pole; ring k has four sectors of min(k, 2 n - k) vertices.
#define WAVES 12

static size_t ring_sector(size_t n, size_t ring) { return ring <= n ? ring : 2 * n - ring; }

// Where the ring's vertices begin.
static size_t ring_start(size_t n, size_t ring) {
    if (ring == 0) return 0;
    if (ring <= n) return 1 + 2 * ring * (ring - 1);
    size_t left = 2 * n - ring;
    return 4 * n * n + 1 - 2 * left * (left + 1);
}

static size_t ring_vertex(size_t n, size_t ring, size_t sector, size_t i) {
    size_t m = ring_sector(n, ring);
    return ring_start(n, ring) + (m ? (sector * m + i) % (4 * m) : 0);
}

// The triangles between a ring and the next longer one, `outer`; the order of corners is reversed on the lower half.
static void add_strip(surface* s, size_t n, size_t inner, size_t outer) {
    size_t m = ring_sector(n, inner);
    bool upper = inner < outer;
    for (size_t sector = 0; sector < 4; sector++)
        for (size_t i = 0; i <= m; i++) {
            size_t tip = ring_vertex(n, inner, sector, i), next = ring_vertex(n, inner, sector, i + 1);
            size_t left = ring_vertex(n, outer, sector, i), right = ring_vertex(n, outer, sector, i + 1);
            add_triangle(s, tip, upper ? left : right, upper ? right : left);
            if (i < m) add_triangle(s, tip, upper ? right : next, upper ? next : right);
        }
}

typedef struct wave {
    apart_vec3 way; // its length is the wave's frequency
    double phase;
} wave;

// The ball's radius along `u`: waves of falling height and rising frequency.
static double blob_radius(const wave waves[WAVES], apart_vec3 u) {
    double radius = 1;
    for (int i = 0; i < WAVES; i++) radius += 0.25 / (i + 3) * sin(vec3_dot(waves[i].way, u) + waves[i].phase);
    return radius;
}

static apart_vec3 blob_point(const wave waves[WAVES], size_t n, size_t ring, size_t k) {
    static const double CORNER[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    size_t m = ring_sector(n, ring), sector = m ? k / m : 0;
    double to = m ? (double)(k - sector * m) : 0, from = (double)m - to;
    apart_vec3 p = {from * CORNER[sector][0] + to * CORNER[sector + 1][0],
                    from * CORNER[sector][1] + to * CORNER[sector + 1][1], (double)n - (double)ring};
    p = vec3_unit(p);
    return vec3_scale(blob_radius(waves, p), p);
}

bool surface_blob(surface* s, size_t triangles) {
    size_t n = (size_t)(sqrt((double)triangles / 8) + 0.5);
    rng r = rng_seed(1);
    wave waves[WAVES];
    for (int i = 0; i < WAVES; i++) {
        waves[i].way = vec3_scale(2 + i, rng_unit_vector(&r));
        waves[i].phase = rng_uniform(&r, 0, TURN);
    }
    if (!allocate(s, 4 * n * n + 2, 8 * n * n)) return false;
    for (size_t ring = 0; ring <= 2 * n; ring++) {
        size_t m = ring_sector(n, ring);
        for (size_t k = 0; k < (m ? 4 * m : 1); k++) s->vertices[s->vertex_count++] = blob_point(waves, n, ring, k);
        if (ring < n) add_strip(s, n, ring, ring + 1);
        if (ring > n) add_strip(s, n, ring, ring - 1);
    }
    make_size_one(s);
    return true;
}

// -------------------------------------------------------------------------------------------------------- file ----

bool surface_load(surface* s, const char* path, apart_error* error) {
    apart_io_mesh mesh;
    memset(s, 0, sizeof *s);
    if (apart_io_read(path, NULL, &mesh, error) != APART_OK) return false;
    *s = (surface){.vertices = mesh.vertices,
                   .vertex_count = mesh.vertex_count,
                   .triangles = (uint32_t(*)[3])mesh.triangles,
                   .triangle_count = mesh.triangle_count};
    measure(s);
    return true;
}
