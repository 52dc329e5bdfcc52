// Scene files: from JSON to an apart_scene with names. docs/scene-file.md has the format.
//
// The file is read in its own order: shapes, bodies, then what refers to bodies by name. The first thing that is wrong
// ends it.
#include "scene_file.h"
#include "file.h"
#include "format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A scene, and what it owns beside what the header shows.
typedef struct holding {
    apart_io_scene scene;
    json_t* root; // texts of the file
    void** blocks;
    size_t count, room;
} holding;

typedef struct loader {
    document document;
    apart_io_options how;
    apart_io_scene* out;
    size_t body_room, motion_room;
    shape_table shapes;
    json_t* entries;       // name of a body in the file -> its first id
    json_t* ends;          // and the id after its last one
    json_t* ids;           // name of a body -> its id
    json_t* groups;        // name -> bit
    json_t* members;       // names of the groups that bodies are in
    bool compares;         // the file says which groups are compared
    uint32_t partners[32]; // of each group: those that it is compared with
} loader;

// Bodies without a group have this one, and are compared with all.
#define NO_GROUP 31

// ------------------------------------------------------------------------------------------------------ memory ----

static bool fail_memory(const node* at) { return node_fail(at, APART_OUT_OF_MEMORY, "out of memory"); }

// The array, with twice the room if it is full; NULL if there is no memory for it.
static void* with_room(void* array, size_t* room, size_t count, size_t item) {
    if (count < *room) return array;
    const size_t wanted = *room ? 2 * *room : 64;
    void* larger = realloc(array, wanted * item);
    if (larger) *room = wanted;
    return larger;
}

// Lets the scene own a block, which is freed if it cannot. Returns it, or NULL.
static void* own_block(loader* l, void* block) {
    holding* h = l->out->own;
    void** blocks = with_room(h->blocks, &h->room, h->count, sizeof *blocks);
    if (blocks) h->blocks = blocks;
    if (blocks && block) return blocks[h->count++] = block;
    free(block);
    return NULL;
}

// ------------------------------------------------------------------------------------------------------ groups ----

// The bit of a group, which is made if there is none yet.
static bool group_bit(loader* l, const node* at, const char** name, uint32_t* bits) {
    *name = node_text(at);
    if (!*name) return false;
    const json_t* known = json_object_get(l->groups, *name);
    const size_t bit = known ? (size_t)json_integer_value(known) : json_object_size(l->groups);
    if (bit == NO_GROUP) return node_fail(at, APART_UNSUPPORTED, "more than %d groups", NO_GROUP);
    if (!known && json_object_set_new(l->groups, *name, json_integer((json_int_t)bit)) != 0) return fail_memory(at);
    *bits |= (uint32_t)1 << bit;
    return true;
}

// A name, or several.
static bool read_groups(loader* l, const node* at, apart_io_body* body, uint32_t* bits) {
    if (!at->value) return true;
    const bool many = json_is_array(at->value);
    const size_t count = many ? json_array_size(at->value) : 1;
    const char** names = own_block(l, malloc((count ? count : 1) * sizeof *names));
    if (!names) return fail_memory(at);
    body->groups = names;
    for (body->group_count = 0; body->group_count < count; body->group_count++) {
        const node one = many ? node_item(at, body->group_count) : *at;
        if (!group_bit(l, &one, &names[body->group_count], bits)) return false;
        if (json_object_set_new(l->members, names[body->group_count], json_true()) != 0) return fail_memory(at);
    }
    return true;
}

// Two names; the same one twice: among themselves.
static bool read_compared(loader* l, const node* at) {
    if (!node_array(at, 2) || json_array_size(at->value) != 2)
        return node_fail(at, APART_FILE, "two groups are compared: [\"one\", \"other\"]");
    uint32_t bits[2] = {0};
    for (size_t i = 0; i < 2; i++) {
        const node one = node_item(at, i);
        const char* name = NULL;
        if (!group_bit(l, &one, &name, &bits[i])) return false;
    }
    for (int g = 0; g < NO_GROUP; g++) {
        if (bits[0] >> g & 1) l->partners[g] |= bits[1];
        if (bits[1] >> g & 1) l->partners[g] |= bits[0];
    }
    return true;
}

// A group that no body is in is a slip of the pen. After the bodies.
static bool check_compared(loader* l, const node* at) {
    for (size_t i = 0; i < 2; i++) {
        const node one = node_item(at, i);
        const char* name = json_string_value(one.value);
        if (!json_object_get(l->members, name)) return node_fail_unknown_in(&one, "group", name, l->members);
    }
    return true;
}

// Two bodies are compared if a group of one is a partner of a group of the other; 0 = with all.
static uint32_t group_mask(const loader* l, uint32_t groups) {
    uint32_t mask = (uint32_t)1 << NO_GROUP;
    if (!l->compares || groups == mask) return 0;
    for (int g = 0; g < NO_GROUP; g++)
        if (groups >> g & 1) mask |= l->partners[g];
    return mask;
}

// ------------------------------------------------------------------------------------------------------ bodies ----

static const char* body_name(loader* l, const char* name, const char* object) {
    if (!object) return name;
    const size_t size = strlen(name) + strlen(object) + 2;
    char* out = own_block(l, malloc(size));
    if (out) snprintf(out, size, "%s/%s", name, object);
    return out;
}

// Whether a name is free; a name of the file stands for a range of bodies.
static bool check_name(loader* l, const node* at, const char* name) {
    if (!json_object_get(l->entries, name) && !json_object_get(l->ids, name)) return true;
    return node_fail(at, APART_FILE, "there is another body called '%.60s'", name);
}

static bool add_body(loader* l, const node* at, apart_io_body body, const apart_scene_body* placed,
                     const apart_motion* motion) {
    apart_io_scene* out = l->out;
    apart_error error;
    apart_io_body* bodies = with_room(out->bodies, &l->body_room, out->count, sizeof *bodies);
    if (bodies) out->bodies = bodies;
    apart_scene_motion* motions = with_room(out->motions, &l->motion_room, out->motion_count, sizeof *motions);
    if (motions) out->motions = motions;
    if (!bodies || !motions || json_object_set_new(l->ids, body.name, json_integer((json_int_t)out->count)) != 0)
        return fail_memory(at);
    if (apart_scene_add(out->scene, placed, &body.id, &error) != APART_OK)
        return node_fail(at, error.status, "%s", error.message);
    if (motion) out->motions[out->motion_count++] = (apart_scene_motion){body.id, *motion};
    out->bodies[out->count++] = body;
    return true;
}

// A half-space may move, but not turn: no query would take it.
static bool check_halfspace(const node* at, const apart_shape* shape, const apart_motion* motion) {
    const apart_motion still = {.start = apart_pose_identity};
    const apart_motion_query query = {.max_steps = 1};
    const node place = node_member(at, "motion");
    apart_contact contact;
    apart_shape* point = apart_shape_sphere(0, NULL);
    if (!point) return fail_memory(at);
    const apart_status status = apart_first_contact(shape, motion, point, &still, &query, &contact);
    apart_shape_release(point);
    return status != APART_UNSUPPORTED || node_fail(&place, status, "a half-space may move, but not turn");
}

// The body, or one for each of its objects.
static bool add_shapes(loader* l, const node* at, apart_io_body body, apart_scene_body placed,
                       const apart_motion* motion) {
    const node shape = node_member(at, "shape"), name = node_member(at, "name");
    const char* entry = body.name;
    const shape_set* set = shape_table_get(&l->shapes, &shape);
    if (!set) return false;
    const size_t first = l->out->count;
    for (size_t i = 0; i < set->count; i++) {
        const scene_shape* s = &set->items[i];
        body.name = body_name(l, entry, s->name);
        if (!body.name) return fail_memory(at);
        if (!check_name(l, &name, body.name)) return false;
        body.kind = s->kind;
        body.source = s->source;
        const bool flat = !strcmp(s->kind, "ground") || !strcmp(s->kind, "halfspace");
        if (flat && motion && !check_halfspace(at, s->shape, motion)) return false;
        body.geometry = s->geometry;
        placed.shape = s->shape;
        if (!add_body(l, at, body, &placed, motion)) return false;
    }
    if (json_object_set_new(l->entries, entry, json_integer((json_int_t)first)) != 0 ||
        json_object_set_new(l->ends, entry, json_integer((json_int_t)l->out->count)) != 0)
        return fail_memory(at);
    return true;
}

static bool read_body(loader* l, const node* at) {
    static const char* const keys[] = {"name", "shape", "pose", "motion", "group", "margin"};
    if (!node_keys(at, keys, 6, 2)) return false;
    const node name = node_member(at, "name"), pose = node_member(at, "pose"), motion = node_member(at, "motion");
    const node group = node_member(at, "group"), margin = node_member(at, "margin");
    apart_io_body body = {.name = node_text(&name)};
    apart_scene_body placed = {0};
    apart_motion moves = {0};
    if (!body.name || !check_name(l, &name, body.name) || !read_pose(&pose, &moves.start)) return false;
    if (motion.value && !read_motion(&motion, pose.value, &moves)) return false;
    if (moves.keys && !own_block(l, (void*)moves.keys)) return fail_memory(at);
    placed.pose = moves.start;
    if (margin.value && !node_number(&margin, &placed.margin)) return false;
    if (placed.margin < 0) return node_fail(&margin, APART_FILE, "a margin is 0 or more");
    if (!read_groups(l, &group, &body, &placed.group)) return false;
    if (placed.group == 0) placed.group = (uint32_t)1 << NO_GROUP;
    placed.mask = group_mask(l, placed.group);
    return add_shapes(l, at, body, placed, moves.kind == APART_MOTION_STILL ? NULL : &moves);
}

static bool tell(const loader* l, double done, const node* at) {
    return !l->how.progress || l->how.progress(done, l->how.progress_context) ||
           node_fail(at, APART_CANCELLED, "reading was cancelled");
}

static bool read_bodies(loader* l, const node* at) {
    if (!node_array(at, 1)) return false;
    const size_t count = json_array_size(at->value);
    for (size_t i = 0; i < count; i++) {
        const node body = node_item(at, i);
        if (!read_body(l, &body) || !tell(l, (double)(i + 1) / (double)count, &body)) return false;
    }
    return true;
}

// ----------------------------------------------------------------------------------------------- pairs by name ----

// The bodies of a name: [first, end).
static bool find_bodies(loader* l, const node* at, json_int_t* first, json_int_t* end) {
    const char* name = node_text(at);
    if (!name) return false;
    const json_t* entry = json_object_get(l->entries, name);
    const json_t* id = json_object_get(l->ids, name);
    if (!entry && !id) return node_fail_unknown_in(at, "body", name, l->ids);
    *first = json_integer_value(entry ? entry : id);
    *end = entry ? json_integer_value(json_object_get(l->ends, name)) : *first + 1;
    return true;
}

static bool read_excluded(loader* l, const node* at) {
    json_int_t first[2] = {0}, end[2] = {0};
    if (!node_array(at, 2) || json_array_size(at->value) != 2)
        return node_fail(at, APART_FILE, "a pair is two bodies: [\"one\", \"other\"]");
    for (size_t i = 0; i < 2; i++) {
        const node one = node_item(at, i);
        if (!find_bodies(l, &one, &first[i], &end[i])) return false;
    }
    if (first[0] == first[1] && end[0] == first[0] + 1)
        return node_fail(at, APART_FILE, "a body is not compared with itself; name two");
    for (json_int_t a = first[0]; a < end[0]; a++)
        for (json_int_t b = first[1]; b < end[1]; b++) {
            if (a == b) continue;
            const apart_status status = apart_scene_exclude(l->out->scene, (uint32_t)a, (uint32_t)b);
            if (status != APART_OK) return node_fail(at, status, "%s", apart_status_text(status));
        }
    return true;
}

typedef bool (*read_pair_fn)(loader* l, const node* at);

// A list of pairs that may be left out.
static bool read_pairs(loader* l, const node* at, read_pair_fn read) {
    if (!at->value) return true;
    if (!node_array(at, 0)) return false;
    for (size_t i = 0; i < json_array_size(at->value); i++) {
        const node item = node_item(at, i);
        if (!read(l, &item)) return false;
    }
    return true;
}

// --------------------------------------------------------------------------------------------------- all of it ----

static bool read_scene(loader* l) {
    static const char* const keys[] = {"bodies", "shapes", "compare", "exclude", "description", "$schema"};
    const node root = node_root(&l->document);
    if (!node_keys(&root, keys, 6, 1)) return false;
    const node shapes = node_member(&root, "shapes"), bodies = node_member(&root, "bodies");
    const node compare = node_member(&root, "compare"), exclude = node_member(&root, "exclude");
    const node description = node_member(&root, "description"), schema = node_member(&root, "$schema");
    if (description.value && !json_is_string(description.value)) return node_fail_type(&description, "a text");
    if (schema.value && !json_is_string(schema.value)) return node_fail_type(&schema, "a text");
    apart_error error;
    l->out->scene = apart_scene_create(&error);
    l->shapes.known = json_object();
    l->entries = json_object();
    l->ends = json_object();
    l->ids = json_object();
    l->groups = json_object();
    l->members = json_object();
    l->compares = compare.value;
    if (!l->out->scene || !l->shapes.known || !l->entries || !l->ends || !l->ids || !l->groups || !l->members)
        return fail_memory(&root);
    if (shapes.value && !shape_table_name(&l->shapes, &shapes)) return false;
    return read_pairs(l, &compare, read_compared) && read_bodies(l, &bodies) &&
           read_pairs(l, &compare, check_compared) && read_pairs(l, &exclude, read_excluded);
}

// The motions stand still now: bodies may point at them.
static void link_motions(apart_io_scene* out) {
    for (size_t i = 0; i < out->motion_count; i++) out->bodies[out->motions[i].id].motion = &out->motions[i].motion;
}

static void free_loader(loader* l) {
    shape_table_free(&l->shapes);
    json_decref(l->entries);
    json_decref(l->ends);
    json_decref(l->ids);
    json_decref(l->groups);
    json_decref(l->members);
}

// The part of a path up to its last slash. To be freed.
static char* folder_of(const char* path) {
    const char* slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    char* out = malloc(length + 1);
    if (!out) return NULL;
    memcpy(out, path, length);
    out[length] = '\0';
    return out;
}

// Fills the empty scene of a loader from JSON in `text`, or from document.root if that is NULL. NULL on failure.
static apart_io_scene* fill_scene(loader* l, const char* text, size_t size) {
    document* d = &l->document;
    holding* h = calloc(1, sizeof *h);
    char* folder = folder_of(text ? d->name : "");
    bool ok = h && folder && (text || d->root);
    if (!ok) fail_file(&(reader){.name = d->name, .error = d->error}, APART_OUT_OF_MEMORY, "out of memory");
    if (ok && text) ok = document_parse(d, text, size);
    if (!h) {
        json_decref(d->root);
        free(folder);
        return NULL;
    }
    h->root = d->root;
    h->scene.own = h;
    l->out = &h->scene;
    l->shapes.folder = folder;
    l->shapes.how = &l->how;
    ok = ok && read_scene(l);
    if (ok) {
        link_motions(l->out);
        memcpy(d->error->message, l->shapes.odd, sizeof l->shapes.odd);
    } else {
        apart_io_scene_release(l->out);
    }
    free_loader(l);
    free(folder);
    return ok ? l->out : NULL;
}

// A loader; *error is emptied, and `own` is used if it is NULL.
static loader make_loader(const char* name, const apart_io_options* options, apart_error** error, apart_error* own) {
    if (!*error) *error = own;
    **error = (apart_error){0};
    loader l = {.document = {.name = name ? name : "", .error = *error}};
    if (options) l.how = *options;
    return l;
}

static apart_io_scene* refuse_call(apart_error* error, const char* sentence) {
    *error = (apart_error){.status = APART_INVALID};
    snprintf(error->message, sizeof error->message, "%s", sentence);
    return NULL;
}

apart_io_scene* apart_io_scene_parse(const char* name, const void* data, size_t size, const apart_io_options* options,
                                     apart_error* error) {
    apart_error own;
    loader l = make_loader(name, options, &error, &own);
    if (!name || (!data && size)) return refuse_call(error, "there is no name or data");
    // Some editors put a mark in front of UTF-8 text.
    reader r = {.at = size ? data : ""};
    r.end = r.at + size;
    format_pass_mark(&r);
    return fill_scene(&l, r.at, reader_left(&r));
}

// A body of a file as a scene file would say it; NULL if there is no memory, or the path is no UTF-8.
static json_t* file_body(const char* path, const apart_io_options* how) {
    const double* s = how->scale;
    json_t* file = json_pack("{s:s, s:b, s:b, s:b, s:b, s:f, s:[f,f,f]}", "path", path, "hull", how->hull, "hollow",
                             how->hollow, "points", how->points, "objects", how->objects, "radius", how->radius,
                             "scale", s[0] == 0 ? 1 : s[0], s[1] == 0 ? 1 : s[1], s[2] == 0 ? 1 : s[2]);
    return json_pack("{s:s, s:{s:o}}", "name", path, "shape", "file", file);
}

apart_io_scene* apart_io_scene_files(const char* const* paths, size_t count, const apart_io_options* options,
                                     apart_error* error) {
    apart_error own;
    loader l = make_loader("", options, &error, &own);
    if (!paths || count == 0) return refuse_call(error, "there are no files");
    json_t* bodies = json_array();
    for (size_t i = 0; i < count; i++)
        if (!paths[i] || json_array_append_new(bodies, file_body(paths[i], &l.how)) != 0) {
            json_decref(bodies);
            refuse_call(error, "out of memory, or the name of a file is not UTF-8");
            return NULL;
        }
    l.document.root = json_pack("{s:o}", "bodies", bodies);
    return fill_scene(&l, NULL, 0);
}

apart_io_scene* apart_io_scene_load(const char* path, const apart_io_options* options, apart_error* error) {
    apart_error own;
    if (!error) error = &own;
    *error = (apart_error){0};
    // A stream of any text may go on.
    apart_io_options how = {.points = true, .limit = options ? options->limit : 0};
    reader r = {.name = path && strcmp(path, "-") == 0 ? "standard input" : path, .how = &how, .error = error};
    if (!path) return refuse_call(error, "there is no path");
    file_bytes content = {0};
    apart_io_scene* out = NULL;
    if (file_read(&r, path, &content)) out = apart_io_scene_parse(r.name, content.data, content.size, options, error);
    free(content.data);
    return out;
}

void apart_io_scene_release(apart_io_scene* scene) {
    if (!scene) return;
    holding* h = scene->own;
    apart_scene_release(scene->scene);
    for (size_t i = 0; i < h->count; i++) free(h->blocks[i]);
    free(h->blocks);
    json_decref(h->root);
    free(scene->bodies);
    free(scene->motions);
    free(h);
}
