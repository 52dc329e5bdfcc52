/// Reading meshes and lists of points, and making bodies of them: STL (binary, ASCII), OBJ, PLY (ASCII, binary), OFF
/// and text points; and scene files, JSON, of many bodies. A library of its own, apart-io, so that the core stays free
/// of files.
///
/// What is torn or wrong is refused with one sentence that names the place: "FILE:LINE: ..." in text, "FILE: byte N:
/// ..." in binary, "FILE:LINE:COLUMN: ..." in a scene file. What is whole but odd is read, and one sentence says what
/// was odd: after success error->message holds it, or is empty. Functions keep no state and may be called from several
/// threads at once.
#ifndef APART_IO_H
#define APART_IO_H

#include "apart/apart.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How to read a file and what to make of it. {0} is the default.
typedef struct apart_io_options {
    bool points;          ///< read as text points, whatever the content looks like
    bool strict;          ///< refuse what is odd, too
    double scale[3];      ///< factors of x, y and z; 0 = 1. An odd number of negative ones is a mirror image, whose
                          ///< triangles are turned so that the outside stays outside
    uint64_t limit;       ///< the most bytes that are taken from a pipe or a device, which may have no end; 0 = 2^32
    bool hull;            ///< the body is the convex hull, also where there are triangles
    bool hollow;          ///< closed surfaces are no solids, see apart_mesh_options
    double radius;        ///< spherical extension of the body
    double sphere_radius; ///< > 0: with Quinlan's tree, see apart_mesh_options
    apart_progress_fn progress; ///< told the part that is done; false gives up with APART_CANCELLED; NULL = none
    void* progress_context;     ///< handed to progress
    bool objects;               ///< apart_io_scene_files only: the objects of an OBJ are bodies of their own
} apart_io_options;

/// The body in a file: its triangles as a surface (apart_shape_mesh), or with options->hull their convex hull; a list
/// of points is its hull. The path "-" is standard input. options: NULL = default. On failure NULL, and *error (may be
/// NULL) says why; after success error->message is empty, or says what was odd. Release the shape.
APART_API apart_shape* apart_io_load(const char* path, const apart_io_options* options, apart_error* error);

/// Points, and the triangles between them. Polygons arrive as fans of triangles.
typedef struct apart_io_mesh {
    apart_vec3* vertices;  ///< finite, at most APART_LIMIT in size; in the order of the file
    size_t vertex_count;   ///< at least 1 after success. STL repeats its corners: equal ones are merged
    uint32_t* triangles;   ///< three indices into vertices a triangle; NULL if there are none
    size_t triangle_count; ///< 0 for a list of points
    const char* format;    ///< "STL (binary)" and the like; a constant text
} apart_io_mesh;

/// Reads a file. The format is recognised by the content, and where that leaves a choice by the ending of the name. On
/// failure *mesh is empty. Free the mesh after success.
APART_API apart_status apart_io_read(const char* path, const apart_io_options* options, apart_io_mesh* mesh,
                                     apart_error* error);

/// Reads the `size` bytes of a file that is in memory. `name` is what sentences begin with.
APART_API apart_status apart_io_parse(const char* name, const void* data, size_t size, const apart_io_options* options,
                                      apart_io_mesh* mesh, apart_error* error);

/// Frees the arrays and empties the mesh. NULL and an empty mesh are allowed.
APART_API void apart_io_free(apart_io_mesh* mesh);

/// The body of a mesh, as apart_io_load makes it. Points that no triangle uses are no part of it: witnesses of a hull
/// number the points that apart_io_used lists. `scale`, `strict` and the like have been applied by reading.
APART_API apart_shape* apart_io_shape(const apart_io_mesh* mesh, const apart_io_options* options, apart_error* error);

/// The points that belong to the body: those that triangles use, or all if there are no triangles. Their numbers go to
/// used[0], used[1], ... in ascending order; there must be room for vertex_count. Returns how many there are.
APART_API size_t apart_io_used(const apart_io_mesh* mesh, uint32_t* used);

/// What a mesh is like: points, area, and which way its triangles are turned. Points with equal coordinates count as
/// one. Whether the surface counts as a solid, the core tells (apart_shape_describe).
typedef struct apart_io_survey {
    size_t distinct;        ///< vertices with different coordinates
    size_t unused;          ///< vertices that no triangle uses; 0 if there are no triangles
    size_t twisted_edges;   ///< edges through which not as many triangles run in one direction as in the other, one
                            ///< more or less allowed if their number is odd: neighbours are turned against each other
    size_t outward, inward; ///< closed components by the sign of their volume; what has open edges counts as one
    double area;            ///< of all triangles; INFINITY if it is too large for a double
    double volume; ///< enclosed by the outward components less that of the inward ones, such as cavities; means
                   ///< something if the surface is closed and has no twisted edges. May be INFINITY, too
} apart_io_survey;

/// Surveys a mesh. Returns APART_OK, APART_INVALID (NULL) or APART_OUT_OF_MEMORY.
APART_API apart_status apart_io_look(const apart_io_mesh* mesh, apart_io_survey* survey);

// ---------------------------------------------------------------------------------------------------- objects ----

/// An object of a file: the "o" lines of an OBJ give them or, if there are none, the "g" lines.
typedef struct apart_io_object {
    const char* name; ///< "unnamed" for triangles that belong to none
    apart_io_mesh mesh;
} apart_io_object;

/// Reads a file and takes it apart into its objects, in the order in which they begin; those without triangles are left
/// out. Any other format is one object. On failure there are none. Free them after success.
APART_API apart_status apart_io_read_objects(const char* path, const apart_io_options* options,
                                             apart_io_object** objects, size_t* count, apart_error* error);
APART_API void apart_io_free_objects(apart_io_object* objects, size_t count);

// ------------------------------------------------------------------------------------------------ scene files ----
// Named bodies, where they are and how they move: docs/scene-file.md has the format. Without Jansson at build time
// all of these say APART_UNSUPPORTED.

/// A body of a scene file.
typedef struct apart_io_body {
    const char* name;           ///< unique in the file; of one of several objects "BODY/OBJECT"
    uint32_t id;                ///< in the scene; its index here, too
    const apart_motion* motion; ///< NULL: it stays where the scene has it
    const char* kind;           ///< of its shape: "file", "box", "union", ...; a constant text
    const char* source;         ///< the path of a file, as the scene file says it; NULL: its shape is no file
    const char* const* groups;  ///< names
    size_t group_count;         ///< 0: it is in none, and compared with all
    uint64_t geometry;          ///< equal for equal triangles, points or sizes, whatever their order
} apart_io_body;

typedef struct apart_io_scene {
    apart_scene* scene;          ///< with the margins, groups and excluded pairs of the file; motions at time 0
    apart_io_body* bodies;       ///< in the order of the file
    size_t count;                ///< of the bodies
    apart_scene_motion* motions; ///< of those that move, in order of id: what apart_scene_contacts wants
    size_t motion_count;         ///< of the motions
    void* own;                   ///< the library's
} apart_io_scene;

/// Loads a scene file; "-" is standard input. Of the options `strict`, `limit` and `progress` count; the file says the
/// rest. On failure NULL, and *error (may be NULL) says why and where; after success error->message is empty, or says
/// what was odd about a file that was read. Release the scene.
APART_API apart_io_scene* apart_io_scene_load(const char* path, const apart_io_options* options, apart_error* error);

/// The same of the `size` bytes of a scene file that is in memory. `name` is what sentences begin with, and paths in
/// the file are taken from its folder.
APART_API apart_io_scene* apart_io_scene_parse(const char* name, const void* data, size_t size,
                                               const apart_io_options* options, apart_error* error);

/// A scene of mesh files, each a body at the origin that is called as its path; options say what to make of them.
APART_API apart_io_scene* apart_io_scene_files(const char* const* paths, size_t count, const apart_io_options* options,
                                               apart_error* error);

/// Frees everything, the apart_scene too. NULL is allowed.
APART_API void apart_io_scene_release(apart_io_scene* scene);

#ifdef __cplusplus
}
#endif

#endif
