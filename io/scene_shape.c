// Shapes of scene files: {"box": {"half_extents": [1, 2, 3]}} and the like, files, unions of named parts.
#include "primitives.h"
#include "scene_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Names that are being made, so that one that contains itself is found; and how deep they may be nested.
typedef struct chain {
    const struct chain* up;
    const char* name;
    int depth;
} chain;
enum { DEEPEST = 100 };

// Unions are taken apart, so that a few lines could stand for more parts than there is memory.
enum { MOST_PARTS = 1000000 };

// What is being made.
typedef struct making {
    shape_table* table;
    const chain* chain;
    shape_set set; // empty until it is done
} making;

static bool fail_core(const node* at, const apart_error* error) {
    return node_fail(at, error->status, "%s", error->message);
}

static bool fail_memory(const node* at) { return node_fail(at, APART_OUT_OF_MEMORY, "out of memory"); }

static bool set_one(const node* at, making* m, scene_shape one) {
    if (!one.shape) return false;
    m->set.items = malloc(sizeof one);
    if (!m->set.items) {
        apart_shape_release(one.shape);
        return fail_memory(at);
    }
    m->set = (shape_set){m->set.items, 1};
    m->set.items[0] = one;
    return true;
}

// ----------------------------------------------------------------------------------------------------- digests ----

// FNV-1a, eight bytes at a time where there are as many, with a shift that brings high bits down.
uint64_t digest_bytes(uint64_t digest, const void* bytes, size_t size) {
    const char* c = bytes;
    while (size > 0) {
        uint64_t word = 0;
        const size_t taken = size < sizeof word ? size : sizeof word;
        memcpy(&word, c, taken);
        digest = (digest ^ word) * 0x100000001b3u;
        digest ^= digest >> 29;
        c += taken;
        size -= taken;
    }
    return digest;
}

static uint64_t digest_point(uint64_t digest, apart_vec3 p) {
    const double x[3] = {p.x + 0.0, p.y + 0.0, p.z + 0.0}; // -0 is 0
    return digest_bytes(digest, x, sizeof x);
}

static uint64_t digest_options(const apart_io_options* how) {
    const double x[3] = {how->hull, how->hollow, how->radius + 0.0};
    return digest_bytes(0, x, sizeof x);
}

// The sum over the triangles, or over the points where there are none: their order and numbers do not count, nor does
// which corner of a triangle comes first.
static uint64_t digest_mesh(const apart_io_mesh* mesh, const apart_io_options* how) {
    uint64_t sum = digest_options(how);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        uint64_t corner[3];
        for (size_t i = 0; i < 3; i++) corner[i] = digest_point(0, mesh->vertices[mesh->triangles[3 * t + i]]);
        const int first = corner[0] <= corner[1] ? (corner[0] <= corner[2] ? 0 : 2) : (corner[1] <= corner[2] ? 1 : 2);
        const uint64_t turned[3] = {corner[first], corner[(first + 1) % 3], corner[(first + 2) % 3]};
        sum += digest_bytes(1, turned, sizeof turned);
    }
    for (size_t i = 0; i < mesh->vertex_count && mesh->triangle_count == 0; i++)
        sum += digest_point(2, mesh->vertices[i]);
    return sum;
}

// -------------------------------------------------------------------------------------------------- primitives ----

// Sizes by name, one after the other in `n`; those after the first `needed` may be left out and are 0.
typedef struct primitive {
    const char* kind;
    const char* sizes[2];
    size_t numbers[2];
    size_t count, needed;
} primitive;

static const primitive primitives[] = {
    {"box", {"half_extents", "radius"}, {3, 1}, 2, 1},    {"sphere", {"radius"}, {1}, 1, 1},
    {"capsule", {"half_height", "radius"}, {1, 1}, 2, 2}, {"cylinder", {"half_height", "radius"}, {1, 1}, 2, 2},
    {"cone", {"half_height", "radius"}, {1, 1}, 2, 2},    {"ellipsoid", {"semi_axes"}, {3}, 1, 1},
    {"halfspace", {"normal", "offset"}, {3, 1}, 2, 1},    {"ground", {"height"}, {1}, 1, 0}};
enum { PRIMITIVES = sizeof primitives / sizeof *primitives };

static bool make_primitive(const primitive* p, const node* at, making* m) {
    double n[4] = {0};
    double* next = n;
    if (!node_keys(at, p->sizes, p->count, p->needed)) return false;
    for (size_t i = 0; i < p->count; i++) {
        const node size = node_member(at, p->sizes[i]);
        if (size.value && !(p->numbers[i] == 1 ? node_number(&size, next) : node_numbers(&size, next, 3))) return false;
        next += p->numbers[i];
    }
    apart_error error;
    apart_shape* shape = apart_io_primitive(p->kind, n, &error);
    if (!shape) return fail_core(at, &error);
    const uint64_t geometry = digest_bytes(digest_bytes(0, p->kind, strlen(p->kind)), n, sizeof n);
    return set_one(at, m, (scene_shape){.kind = p->kind, .geometry = geometry, .shape = shape});
}

// --------------------------------------------------------------------------------- points and triangles inline ----

// Rows of three numbers.
static bool read_points_of(const node* at, apart_io_mesh* mesh) {
    if (!node_array(at, 1)) return false;
    const size_t count = json_array_size(at->value);
    mesh->vertices = malloc(count * sizeof *mesh->vertices);
    if (!mesh->vertices) return fail_memory(at);
    for (mesh->vertex_count = 0; mesh->vertex_count < count; mesh->vertex_count++) {
        const node row = node_item(at, mesh->vertex_count);
        if (!read_vector(&row, &mesh->vertices[mesh->vertex_count])) return false;
    }
    return true;
}

static bool read_corner(const node* at, size_t vertices, uint32_t* out) {
    if (!json_is_integer(at->value)) return node_fail_type(at, "the number of a vertex");
    const json_int_t index = json_integer_value(at->value);
    *out = (uint32_t)index;
    return (index >= 0 && (uint64_t)index < vertices) ||
           node_fail(at, APART_FILE, "vertex %lld does not exist; they count from 0 to %zu", (long long)index,
                     vertices - 1);
}

static bool read_triangles(const node* at, apart_io_mesh* mesh) {
    if (!node_array(at, 1)) return false;
    mesh->triangle_count = json_array_size(at->value);
    mesh->triangles = calloc(mesh->triangle_count, 3 * sizeof *mesh->triangles);
    if (!mesh->triangles) return fail_memory(at);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const node row = node_item(at, t);
        if (!json_is_array(row.value) || json_array_size(row.value) != 3)
            return node_fail(&row, APART_FILE, "a triangle is the numbers of three vertices");
        for (size_t i = 0; i < 3; i++) {
            const node corner = node_item(&row, i);
            if (!read_corner(&corner, mesh->vertex_count, &mesh->triangles[3 * t + i])) return false;
        }
    }
    return true;
}

static bool make_inline(const char* kind, const node* at, making* m) {
    static const char* const keys[] = {"vertices", "triangles", "hollow", "radius"};
    static const char* const point_keys[] = {"vertices", "radius"};
    const bool surface = !strcmp(kind, "mesh");
    if (!(surface ? node_keys(at, keys, 4, 2) : node_keys(at, point_keys, 2, 1))) return false;
    const node vertices = node_member(at, "vertices"), triangles = node_member(at, "triangles");
    const node hollow = node_member(at, "hollow"), radius = node_member(at, "radius");
    apart_io_options how = {0};
    apart_io_mesh mesh = {0};
    apart_error error;
    apart_shape* shape = NULL;
    bool ok = (!hollow.value || node_bool(&hollow, &how.hollow)) &&
              (!radius.value || node_number(&radius, &how.radius)) && read_points_of(&vertices, &mesh) &&
              (!surface || read_triangles(&triangles, &mesh));
    if (ok && !(shape = apart_io_shape(&mesh, &how, &error))) ok = fail_core(at, &error);
    const uint64_t geometry = ok ? digest_mesh(&mesh, &how) : 0;
    apart_io_free(&mesh);
    return ok && set_one(at, m, (scene_shape){.kind = kind, .geometry = geometry, .shape = shape});
}

// ------------------------------------------------------------------------------------------------------- files ----

// One factor or three.
static bool read_scale(const node* at, double out[3]) {
    if (json_is_array(at->value) ? !node_numbers(at, out, 3) : !node_number(at, out)) return false;
    if (!json_is_array(at->value)) out[1] = out[2] = out[0];
    return (out[0] != 0 && out[1] != 0 && out[2] != 0) ||
           node_fail(at, APART_FILE, "a factor of 0 would flatten the body");
}

static bool read_file_options(const node* at, apart_io_options* how, bool* objects) {
    static const char* const keys[] = {"path", "scale", "radius", "hull", "hollow", "points", "objects"};
    if (!node_keys(at, keys, 7, 1)) return false;
    const node scale = node_member(at, "scale"), radius = node_member(at, "radius");
    const struct {
        const char* key;
        bool* out;
    } flags[] = {{"hull", &how->hull}, {"hollow", &how->hollow}, {"points", &how->points}, {"objects", objects}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const node flag = node_member(at, flags[i].key);
        if (flag.value && !node_bool(&flag, flags[i].out)) return false;
    }
    if (how->hull && how->hollow)
        return node_fail(at, APART_FILE, "'hull' and 'hollow' exclude each other: a convex hull is filled");
    return (!scale.value || read_scale(&scale, how->scale)) && (!radius.value || node_number(&radius, &how->radius));
}

// Absolute, or from the place of the scene file. To be freed. "-" is a file here, not standard input.
static char* file_path(const shape_table* t, const char* path) {
    const char* folder = path[0] == '/' ? "" : !strcmp(path, "-") && !*t->folder ? "./" : t->folder;
    const size_t size = strlen(folder) + strlen(path) + 1;
    char* out = malloc(size);
    if (out) snprintf(out, size, "%s%s", folder, path);
    return out;
}

// Makes the bodies of the objects. What the meshes hold is in the shapes afterwards.
static bool make_objects(const node* at, making* m, const apart_io_options* how, const char* source,
                         const apart_io_object* objects, size_t count) {
    m->set.items = calloc(count, sizeof *m->set.items);
    if (!m->set.items) return fail_memory(at);
    for (size_t i = 0; i < count; i++) {
        apart_error error;
        scene_shape* item = &m->set.items[i];
        *item = (scene_shape){.kind = "file", .source = source, .geometry = digest_mesh(&objects[i].mesh, how)};
        item->shape = apart_io_shape(&objects[i].mesh, how, &error);
        if (!item->shape) return node_fail(at, error.status, "%.60s: %s", source, error.message);
        m->set.count = i + 1;
        if (!objects[i].name) continue;
        const size_t size = strlen(objects[i].name) + 1;
        char* name = malloc(size);
        if (!name) return fail_memory(at);
        item->name = memcpy(name, objects[i].name, size);
    }
    return true;
}

// Reads a file, whole or taken apart by name. One without triangles has nothing to take apart.
static bool read_file(const node* at, making* m, const apart_io_options* how, bool by_name, const char* path,
                      const char* source) {
    apart_io_object whole = {0}, *objects = &whole;
    size_t count = 1;
    apart_error error;
    apart_status status = by_name ? apart_io_read_objects(path, how, &objects, &count, &error) : APART_EMPTY;
    if (status == APART_EMPTY) {
        by_name = false;
        objects = &whole;
        count = 1;
        status = apart_io_read(path, how, &whole.mesh, &error);
    }
    if (status != APART_OK) return fail_core(at, &error);
    if (!m->table->odd[0]) memcpy(m->table->odd, error.message, sizeof m->table->odd);
    const bool ok = make_objects(at, m, how, source, objects, count);
    apart_io_free(&whole.mesh);
    if (by_name) apart_io_free_objects(objects, count);
    return ok;
}

static bool make_file(const node* at, making* m) {
    apart_io_options how = {.strict = m->table->how->strict, .limit = m->table->how->limit};
    bool by_name = false;
    const node member = node_member(at, "path");
    const node* place = json_is_object(at->value) ? &member : at;
    if (place == &member && !read_file_options(at, &how, &by_name)) return false;
    const char* source = node_text(place);
    if (!source) return false;
    char* path = file_path(m->table, source);
    const bool ok = path ? read_file(place, m, &how, by_name, path, source) : fail_memory(at);
    free(path);
    return ok;
}

// ------------------------------------------------------------------------------------------------------ unions ----

static const shape_set* get_shapes(shape_table* t, const node* at, const chain* above);

// A part, its digest, and how many parts it is itself.
static bool read_part(const node* at, making* m, apart_part* out, uint64_t* digest) {
    static const char* const keys[] = {"shape", "pose"};
    if (!node_keys(at, keys, 2, 1)) return false;
    const node shape = node_member(at, "shape"), pose = node_member(at, "pose");
    if (!read_pose(&pose, &out->pose)) return false;
    const shape_set* set = get_shapes(m->table, &shape, m->chain);
    if (!set) return false;
    if (set->items[0].name)
        return node_fail(&shape, APART_UNSUPPORTED, "a file that is taken apart by 'objects' is no part of a union");
    apart_shape_info info = {0};
    apart_shape_describe(set->items[0].shape, &info);
    m->table->parts += info.parts;
    if (m->table->parts > MOST_PARTS)
        return node_fail(at, APART_UNSUPPORTED, "the unions of this file have more than %d parts", MOST_PARTS);
    out->shape = apart_shape_retain(set->items[0].shape);
    *digest += digest_bytes(set->items[0].geometry, &out->pose, sizeof out->pose);
    return true;
}

static bool make_union(const node* at, making* m) {
    if (!node_array(at, 1)) return false;
    const size_t count = json_array_size(at->value);
    apart_part* parts = calloc(count, sizeof *parts);
    if (!parts) return fail_memory(at);
    uint64_t digest = 3;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        const node item = node_item(at, i);
        ok = read_part(&item, m, &parts[i], &digest);
    }
    apart_error error;
    apart_shape* shape = ok ? apart_shape_union(parts, count, &error) : NULL;
    for (size_t i = 0; i < count; i++) apart_shape_release(parts[i].shape);
    free(parts);
    if (ok && !shape) return fail_core(at, &error);
    return ok && set_one(at, m, (scene_shape){.kind = "union", .geometry = digest, .shape = shape});
}

// -------------------------------------------------------------------------------------------------- everything ----

static bool make_kind(const char* kind, const node* at, making* m) {
    static const char* const kinds[] = {"file",      "box",    "sphere", "capsule", "cylinder",  "cone",
                                        "ellipsoid", "points", "mesh",   "union",   "halfspace", "ground"};
    for (size_t i = 0; i < PRIMITIVES; i++)
        if (!strcmp(kind, primitives[i].kind)) return make_primitive(&primitives[i], at, m);
    if (!strcmp(kind, "file")) return make_file(at, m);
    if (!strcmp(kind, "points")) return make_inline("points", at, m);
    if (!strcmp(kind, "mesh")) return make_inline("mesh", at, m);
    if (!strcmp(kind, "union")) return make_union(at, m);
    return node_fail_unknown(at, "kind of shape", at->key, kinds, sizeof kinds / sizeof *kinds);
}

static bool fail_cycle(const node* at, const chain* above, const char* name) {
    char way[120] = "";
    for (const chain* c = above; c; c = c->up) {
        char longer[sizeof way + 44];
        snprintf(longer, sizeof longer, "%.40s -> %s", c->name, *way ? way : name);
        memcpy(way, longer, sizeof way - 1);
        if (!strcmp(c->name, name)) break;
    }
    return node_fail(at, APART_FILE, "shape '%.40s' contains itself: %s", name, way);
}

// The shape of a name: a kind among "shapes", or another name.
static const shape_set* get_named(shape_table* t, const node* at, const chain* above) {
    const char* name = node_text(at);
    if (!name) return NULL;
    for (const chain* c = above; c; c = c->up)
        if (!strcmp(c->name, name)) return fail_cycle(at, above, name), NULL;
    if (above && above->depth == DEEPEST)
        return node_fail(at, APART_UNSUPPORTED, "shapes are nested more than %d deep", DEEPEST), NULL;
    if (!json_object_get(t->named, name)) return node_fail_unknown_in(at, "shape", name, t->named), NULL;
    const chain here = {above, name, above ? above->depth + 1 : 1};
    const node named = node_member(t->named_node, name);
    return get_shapes(t, &named, &here);
}

static void free_set(shape_set* set) {
    for (size_t i = 0; i < set->count; i++) {
        apart_shape_release(set->items[i].shape);
        free((char*)set->items[i].name);
    }
    free(set->items);
}

static const shape_set* keep_set(shape_table* t, const node* at, const char* text, shape_set set) {
    if (t->count == t->room) {
        const size_t room = t->room ? 2 * t->room : 64;
        shape_set* larger = realloc(t->sets, room * sizeof *larger);
        if (larger) {
            t->sets = larger;
            t->room = room;
        }
    }
    if (t->count == t->room || json_object_set_new(t->known, text, json_integer((json_int_t)t->count)) != 0) {
        free_set(&set);
        fail_memory(at);
        return NULL;
    }
    t->sets[t->count] = set;
    return &t->sets[t->count++];
}

static const shape_set* get_shapes(shape_table* t, const node* at, const chain* above) {
    if (json_is_string(at->value)) return get_named(t, at, above);
    if (!json_is_object(at->value)) return node_fail_type(at, "a shape or the name of one"), NULL;
    if (json_object_size(at->value) != 1)
        return node_fail(at, APART_FILE, "a shape has one kind, such as {\"sphere\": {\"radius\": 1}}, not %zu",
                         json_object_size(at->value)),
               NULL;
    char* text = json_dumps(at->value, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text) return fail_memory(at), NULL;
    const shape_set* out = NULL;
    const json_t* index = json_object_get(t->known, text);
    if (index) {
        out = &t->sets[json_integer_value(index)];
    } else {
        making m = {.table = t, .chain = above};
        const char* kind = json_object_iter_key(json_object_iter(at->value));
        const node body = node_member(at, kind);
        if (make_kind(kind, &body, &m))
            out = keep_set(t, at, text, m.set);
        else
            free_set(&m.set);
    }
    free(text);
    return out;
}

bool shape_table_name(shape_table* t, const node* at) {
    const char* name = NULL;
    json_t* value = NULL;
    node member = {.document = at->document, .up = at};
    t->named = at->value;
    t->named_node = at;
    if (!json_is_object(at->value)) return node_fail_type(at, "an object of named shapes");
    json_object_foreach(at->value, name, value) {
        const chain here = {NULL, name, 1};
        member.key = name;
        member.value = value;
        if (!get_shapes(t, &member, &here)) return false;
    }
    return true;
}

const shape_set* shape_table_get(shape_table* t, const node* at) { return get_shapes(t, at, NULL); }

void shape_table_free(shape_table* t) {
    for (size_t i = 0; i < t->count; i++) free_set(&t->sets[i]);
    free(t->sets);
    json_decref(t->known);
}
