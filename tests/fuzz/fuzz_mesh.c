// Any bytes as a mesh file. The first byte chooses the name, and with it the format where the content does not.
// Whatever is accepted must be whole: finite points, indices in range, a survey that ends.
#include "format.h"
#include "source.h"

static void check_mesh(const apart_io_mesh* mesh) {
    REQUIRE(mesh->vertex_count > 0);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const apart_vec3 v = mesh->vertices[i];
        REQUIRE(fabs(v.x) <= APART_LIMIT && fabs(v.y) <= APART_LIMIT && fabs(v.z) <= APART_LIMIT);
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; i < 3; i++) REQUIRE(mesh->triangles[3 * t + i] < mesh->vertex_count);
    apart_io_survey survey;
    REQUIRE(apart_io_look(mesh, &survey) == APART_OK);
    REQUIRE(survey.distinct > 0 && survey.distinct <= mesh->vertex_count);
    REQUIRE(survey.unused <= mesh->vertex_count);
    REQUIRE(survey.area >= 0 && !isnan(survey.volume));
}

// A refusal or a warning is one line that begins with the name.
static void check_sentence(const char* name, const apart_error* error) {
    REQUIRE(strncmp(error->message, name, strlen(name)) == 0 && error->message[strlen(name)] == ':');
    REQUIRE(!strchr(error->message, '\n') && strlen(error->message) < sizeof error->message);
}

// The beginning of a stream is looked at, too; whatever is said of it.
static void check_beginning(const char* name, const char* bytes, size_t size, const apart_io_options* how) {
    apart_error error = {0};
    reader r = {.name = name, .begin = bytes, .at = bytes, .end = bytes + size, .line = 1, .how = how, .error = &error};
    if (!format_may_begin(&r)) check_sentence(name, &error);
}

// Strict reading gives the same mesh, or refuses what has a warning.
static void check_strict(const char* name, const void* bytes, size_t size, apart_io_options how, bool odd) {
    apart_io_mesh mesh;
    how.strict = true;
    const apart_status status = apart_io_parse(name, bytes, size, &how, &mesh, NULL);
    REQUIRE(status == (odd ? APART_FILE : APART_OK));
    apart_io_free(&mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const char* const names[] = {"a.stl", "a.obj", "a.ply", "a.off", "a.xyz", "a", "points"};
    if (size == 0) return 0;
    const size_t choice = data[0] % (sizeof names / sizeof *names);
    const char* name = names[choice];
    apart_io_options how = {.points = choice == 6};
    if (data[0] >= 128) how.scale[0] = -2;
    apart_io_mesh mesh;
    apart_error error = {0};
    const apart_status status = apart_io_parse(name, data + 1, size - 1, &how, &mesh, &error);
    REQUIRE(error.status == status);
    if (status != APART_OK) {
        check_sentence(name, &error);
        REQUIRE(!mesh.vertices && !mesh.triangles);
    } else {
        if (error.message[0]) check_sentence(name, &error);
        check_strict(name, data + 1, size - 1, how, error.message[0]);
        check_mesh(&mesh);
    }
    if (size > 1) check_beginning(name, (const char*)data + 1, size - 1, &how);
    apart_io_free(&mesh);
    return 0;
}
