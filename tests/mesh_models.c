// Surfaces to test with.
#include "mesh_models.h"

#include "apart/io.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* must(void* block) {
    if (block) return block;
    fprintf(stderr, "out of memory in a test\n");
    abort();
}

surface surface_make(size_t most_vertices, size_t most_triangles) {
    surface s = {0};
    s.vertex = must(calloc(most_vertices + 1, sizeof *s.vertex));
    s.triangle = must(calloc(most_triangles + 1, sizeof *s.triangle));
    return s;
}

void surface_free(surface* s) {
    free(s->vertex);
    free(s->triangle);
    *s = (surface){0};
}

surface surface_copy(const surface* s) {
    surface copy = surface_make(s->vertex_count, s->triangle_count);
    memcpy(copy.vertex, s->vertex, s->vertex_count * sizeof *s->vertex);
    memcpy(copy.triangle, s->triangle, s->triangle_count * sizeof *s->triangle);
    copy.vertex_count = s->vertex_count;
    copy.triangle_count = s->triangle_count;
    copy.radius = s->radius;
    copy.hollow = s->hollow;
    return copy;
}

uint32_t surface_vertex(surface* s, double x, double y, double z) {
    s->vertex[s->vertex_count] = vec3_make(x, y, z);
    return (uint32_t)s->vertex_count++;
}

void surface_triangle(surface* s, uint32_t i, uint32_t j, uint32_t k) {
    uint32_t* t = s->triangle[s->triangle_count++];
    t[0] = i;
    t[1] = j;
    t[2] = k;
}

// ----------------------------------------------------------------------------------------------------- models ----

// Point i of n on the unit circle, by the rational parameter of its quarter; n is a multiple of 4.
static apart_vec3 on_circle(int i, int n) {
    int quarter = i * 4 / n % 4;
    double t = (double)(i % (n / 4)) / (n / 4), q = 1 + t * t, c = (1 - t * t) / q, s = 2 * t / q;
    switch (quarter) {
    case 0:
        return vec3_make(c, s, 0);
    case 1:
        return vec3_make(-s, c, 0);
    case 2:
        return vec3_make(-c, -s, 0);
    default:
        return vec3_make(s, -c, 0);
    }
}

static apart_vec3 unit(apart_vec3 p) {
    double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    return vec3_make(p.x / length, p.y / length, p.z / length);
}

// One face of the octahedron as a triangular grid of n cells a side, pushed out to the sphere.
static void octant(surface* s, int n, double sx, double sy, double sz) {
    bool flip = sx * sy * sz < 0;
    uint32_t first = (uint32_t)s->vertex_count;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n - i; j++) {
            apart_vec3 p = unit(vec3_make(sx * i, sy * j, sz * (n - i - j)));
            surface_vertex(s, p.x + 0.0, p.y + 0.0, p.z + 0.0);
        }
    uint32_t row = first;
    for (int i = 0; i < n; i++) {
        uint32_t next = row + (uint32_t)(n - i + 1);
        for (int j = 0; j < n - i; j++) {
            uint32_t a = row + (uint32_t)j, b = next + (uint32_t)j;
            surface_triangle(s, a, flip ? a + 1 : b, flip ? b : a + 1);
            if (j < n - i - 1) surface_triangle(s, b, flip ? a + 1 : b + 1, flip ? b + 1 : a + 1);
        }
        row = next;
    }
}

// One vertex for each place. (Quadratic: the models are small.)
static void weld(surface* s) {
    size_t count = 0;
    uint32_t* now = must(malloc((s->vertex_count + 1) * sizeof *now));
    for (size_t i = 0; i < s->vertex_count; i++) {
        apart_vec3 p = s->vertex[i];
        size_t k = 0;
        while (k < count && !(s->vertex[k].x == p.x && s->vertex[k].y == p.y && s->vertex[k].z == p.z)) k++;
        if (k == count) s->vertex[count++] = p;
        now[i] = (uint32_t)k;
    }
    for (size_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) s->triangle[t][k] = now[s->triangle[t][k]];
    s->vertex_count = count;
    free(now);
}

surface model_sphere(int level) {
    int n = 1 << level;
    surface s = surface_make((size_t)(8 * (n + 1) * (n + 2) / 2), (size_t)(8 * n * n));
    for (int i = 0; i < 8; i++) octant(&s, n, i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    weld(&s);
    return s;
}

surface model_cup(int level) {
    surface s = model_sphere(level);
    size_t kept = 0;
    for (size_t t = 0; t < s.triangle_count; t++) {
        const uint32_t* c = s.triangle[t];
        if (s.vertex[c[0]].z + s.vertex[c[1]].z + s.vertex[c[2]].z > 1.2) continue;
        memmove(s.triangle[kept++], c, sizeof *s.triangle);
    }
    s.triangle_count = kept;
    return s;
}

// Quads of a grid that is closed both ways.
static void close_tube(surface* s, int along, int across) {
    for (int i = 0; i < along; i++)
        for (int j = 0; j < across; j++) {
            int k = (i + 1) % along, l = (j + 1) % across;
            uint32_t a = (uint32_t)(i * across + j), b = (uint32_t)(k * across + j);
            uint32_t c = (uint32_t)(k * across + l), d = (uint32_t)(i * across + l);
            surface_triangle(s, a, b, c);
            surface_triangle(s, a, c, d);
        }
}

surface model_torus(int around, int across, double tube) {
    surface s = surface_make((size_t)(around * across), (size_t)(2 * around * across));
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            apart_vec3 u = on_circle(i, around), v = on_circle(j, across);
            double r = 0.7 + tube * v.x;
            surface_vertex(&s, r * u.x, r * u.y, tube * v.y);
        }
    close_tube(&s, around, across);
    return s;
}

// The trefoil (sin t + 2 sin 2t, cos t - 2 cos 2t, -sin 3t) / 4, from cos t and sin t.
static apart_vec3 trefoil(apart_vec3 u) {
    double c = u.x, s = u.y, c2 = c * c - s * s, s2 = 2 * s * c, s3 = s2 * c + c2 * s;
    return vec3_make((s + 2 * s2) / 4, (c - 2 * c2) / 4, -s3 / 4);
}

surface model_knot(int along, int across) {
    surface s = surface_make((size_t)(along * across), (size_t)(2 * along * across));
    for (int i = 0; i < along; i++) {
        apart_vec3 p = trefoil(on_circle(i, along)), q = trefoil(on_circle((i + 1) % along, along));
        apart_vec3 tangent = unit(vec3_make(q.x - p.x, q.y - p.y, q.z - p.z));
        apart_vec3 side = unit(vec3_cross(tangent, vec3_make(0, 0, 1))), up = vec3_cross(side, tangent);
        for (int j = 0; j < across; j++) {
            apart_vec3 v = on_circle(j, across);
            double x = 0.11 * v.x, y = 0.11 * v.y;
            surface_vertex(&s, p.x + x * side.x + y * up.x, p.y + x * side.y + y * up.y, p.z + x * side.z + y * up.z);
        }
    }
    close_tube(&s, along, across);
    return s;
}

// The side of a box at +half or -half of axis `axis`, cut into cells^2 squares.
static void side(surface* s, const double* half, int cells, int axis, int sign) {
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    uint32_t first = (uint32_t)s->vertex_count, width = (uint32_t)cells + 1;
    for (int i = 0; i <= cells; i++)
        for (int j = 0; j <= cells; j++) {
            double p[3];
            p[axis] = sign * half[axis];
            p[u] = half[u] * ((double)(2 * i - cells) / cells); // exact at the corners
            p[v] = half[v] * ((double)(2 * j - cells) / cells);
            surface_vertex(s, p[0], p[1], p[2]);
        }
    for (uint32_t i = 0; i < (uint32_t)cells; i++)
        for (uint32_t j = 0; j < (uint32_t)cells; j++) {
            uint32_t a = first + i * width + j, b = a + width, c = b + 1, d = a + 1;
            surface_triangle(s, a, sign > 0 ? b : c, sign > 0 ? c : b);
            surface_triangle(s, a, sign > 0 ? c : d, sign > 0 ? d : c);
        }
}

surface model_box(apart_vec3 half, int cells) {
    const double h[3] = {half.x, half.y, half.z};
    surface s = surface_make((size_t)(6 * (cells + 1) * (cells + 1)), (size_t)(12 * cells * cells));
    for (int axis = 0; axis < 3; axis++) {
        side(&s, h, cells, axis, 1);
        side(&s, h, cells, axis, -1);
    }
    weld(&s);
    return s;
}

surface model_bracket(void) {
    static const double outline[6][2] = {{-0.5, -0.5},   {0.5, -0.5},  {0.5, -0.25},
                                         {-0.25, -0.25}, {-0.25, 0.5}, {-0.5, 0.5}};
    static const uint32_t cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
    surface s = surface_make(12, 20);
    for (int i = 0; i < 12; i++) surface_vertex(&s, outline[i % 6][0], outline[i % 6][1], i < 6 ? -0.375 : 0.375);
    for (int i = 0; i < 4; i++) {
        surface_triangle(&s, cap[i][0], cap[i][2], cap[i][1]);
        surface_triangle(&s, cap[i][0] + 6, cap[i][1] + 6, cap[i][2] + 6);
    }
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t k = (i + 1) % 6;
        surface_triangle(&s, i, k, k + 6);
        surface_triangle(&s, i, k + 6, i + 6);
    }
    return s;
}

surface model_sheet(int cells) {
    uint32_t width = (uint32_t)cells + 1;
    surface s = surface_make((size_t)width * width, (size_t)(2 * cells * cells));
    for (int i = 0; i <= cells; i++)
        for (int j = 0; j <= cells; j++) {
            double x = 1.2 * i / cells - 0.6, y = 1.2 * j / cells - 0.6;
            surface_vertex(&s, x, y, 0.8 * x * x * y - 0.3 * y * y + (i + j) % 3 * 0.03);
        }
    for (uint32_t i = 0; i < (uint32_t)cells; i++)
        for (uint32_t j = 0; j < (uint32_t)cells; j++) {
            uint32_t a = i * width + j, b = a + width;
            surface_triangle(&s, a, b, b + 1);
            surface_triangle(&s, a, b + 1, a + 1);
        }
    return s;
}

surface model_file(const char* name) {
    char path[512];
    apart_io_mesh mesh;
    apart_error error = {0};
    snprintf(path, sizeof path, "%s/%s", APART_TEST_DATA, name);
    if (apart_io_read(path, NULL, &mesh, &error) != APART_OK) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    surface s = surface_make(mesh.vertex_count, mesh.triangle_count);
    double largest = 0;
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        apart_vec3 p = mesh.vertices[i];
        surface_vertex(&s, p.x, p.y, p.z);
        largest = fmax(largest, p.x * p.x + p.y * p.y + p.z * p.z);
    }
    for (size_t t = 0; t < mesh.triangle_count; t++)
        surface_triangle(&s, mesh.triangles[3 * t], mesh.triangles[3 * t + 1], mesh.triangles[3 * t + 2]);
    apart_io_free(&mesh);
    int exponent;
    frexp(sqrt(largest), &exponent);
    surface_scale(&s, ldexp(1, -exponent));
    return s;
}

const char* const model_names[MODELS] = {"octahedron", "sphere 1", "sphere 2", "torus",    "thin torus",
                                         "knot",       "box",      "cut box",  "bracket",  "sheet",
                                         "cup",        "gem.obj",  "gear.ply", "bolt.ply", "rocket.stl"};

surface model_get(int index) {
    switch (index) {
    case 0:
    case 1:
    case 2:
        return model_sphere(index);
    case 3:
        return model_torus(12, 8, 0.25);
    case 4:
        return model_torus(20, 4, 0.06);
    case 5:
        return model_knot(40, 4);
    case 6:
        return model_box(vec3_make(0.5, 0.25, 0.75), 1);
    case 7:
        return model_box(vec3_make(0.5, 0.5, 0.5), 3);
    case 8:
        return model_bracket();
    case 9:
        return model_sheet(7);
    case 10:
        return model_cup(2);
    default:
        return model_file(model_names[index]);
    }
}

// --------------------------------------------------------------------------------------------------- changes ----

void surface_scale(surface* s, double factor) {
    s->radius *= factor;
    for (size_t i = 0; i < s->vertex_count; i++) {
        apart_vec3 p = s->vertex[i];
        s->vertex[i] = vec3_make(factor * p.x, factor * p.y, factor * p.z);
    }
}

void surface_shift(surface* s, apart_vec3 by) {
    for (size_t i = 0; i < s->vertex_count; i++) {
        apart_vec3 p = s->vertex[i];
        s->vertex[i] = vec3_make(p.x + by.x, p.y + by.y, p.z + by.z);
    }
}

static void turn_over(uint32_t* t) {
    uint32_t i = t[1];
    t[1] = t[2];
    t[2] = i;
}

void surface_invert(surface* s) {
    for (size_t t = 0; t < s->triangle_count; t++) turn_over(s->triangle[t]);
}

void surface_mix_orientation(surface* s, rng* r) {
    for (size_t t = 0; t < s->triangle_count; t++)
        if (rng_chance(r, 0.5)) turn_over(s->triangle[t]);
}

void surface_append(surface* s, const surface* other) {
    surface sum = surface_make(s->vertex_count + other->vertex_count, s->triangle_count + other->triangle_count);
    const surface* parts[2] = {s, other};
    for (int k = 0; k < 2; k++) {
        uint32_t first = (uint32_t)sum.vertex_count;
        for (size_t i = 0; i < parts[k]->vertex_count; i++)
            surface_vertex(&sum, parts[k]->vertex[i].x, parts[k]->vertex[i].y, parts[k]->vertex[i].z);
        for (size_t t = 0; t < parts[k]->triangle_count; t++) {
            const uint32_t* c = parts[k]->triangle[t];
            surface_triangle(&sum, first + c[0], first + c[1], first + c[2]);
        }
    }
    sum.radius = s->radius;
    sum.hollow = s->hollow;
    surface_free(s);
    *s = sum;
}

void surface_shuffle_triangles(surface* s, rng* r, uint32_t* from) {
    for (size_t t = 0; t < s->triangle_count; t++) from[t] = (uint32_t)t;
    for (size_t t = s->triangle_count; t-- > 1;) {
        size_t k = (size_t)rng_below(r, (int)t + 1);
        uint32_t c[3], old = from[t];
        memcpy(c, s->triangle[t], sizeof c);
        memcpy(s->triangle[t], s->triangle[k], sizeof c);
        memcpy(s->triangle[k], c, sizeof c);
        from[t] = from[k];
        from[k] = old;
    }
    for (size_t t = 0; t < s->triangle_count; t++) {
        uint32_t* c = s->triangle[t];
        for (int turns = rng_below(r, 3); turns > 0; turns--) {
            uint32_t first = c[0];
            c[0] = c[1];
            c[1] = c[2];
            c[2] = first;
        }
    }
}

void surface_shuffle_vertices(surface* s, rng* r) {
    uint32_t* now = must(malloc((s->vertex_count + 1) * sizeof *now));
    apart_vec3* vertex = must(malloc((s->vertex_count + 1) * sizeof *vertex));
    for (size_t i = 0; i < s->vertex_count; i++) now[i] = (uint32_t)i;
    for (size_t i = s->vertex_count; i-- > 1;) {
        size_t k = (size_t)rng_below(r, (int)i + 1);
        uint32_t other = now[i];
        now[i] = now[k];
        now[k] = other;
    }
    for (size_t i = 0; i < s->vertex_count; i++) vertex[now[i]] = s->vertex[i];
    memcpy(s->vertex, vertex, s->vertex_count * sizeof *vertex);
    for (size_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++) s->triangle[t][k] = now[s->triangle[t][k]];
    free(now);
    free(vertex);
}

void surface_unshare(surface* s) {
    surface own = surface_make(3 * s->triangle_count, s->triangle_count);
    for (size_t t = 0; t < s->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            apart_vec3 p = s->vertex[s->triangle[t][k]];
            surface_vertex(&own, p.x, p.y, p.z);
        }
        uint32_t first = (uint32_t)(3 * t);
        surface_triangle(&own, first, first + 1, first + 2);
    }
    own.radius = s->radius;
    own.hollow = s->hollow;
    surface_free(s);
    *s = own;
}

void surface_keep(surface* s, size_t first, size_t count) {
    memmove(s->triangle, s->triangle + first, count * sizeof *s->triangle);
    s->triangle_count = count;
}

void surface_remove(surface* s, size_t triangle) {
    size_t after = s->triangle_count - triangle - 1;
    memmove(s->triangle[triangle], s->triangle[triangle + 1], after * sizeof *s->triangle);
    s->triangle_count--;
}

apart_shape* surface_shape(const surface* s, apart_error* error) {
    apart_mesh_options options = {.radius = s->radius, .hollow = s->hollow};
    return apart_shape_mesh(s->vertex, s->vertex_count, s->triangle[0], s->triangle_count, &options, error);
}
