// Any bytes as a mesh file. The first byte chooses the name, and with it the format where the content does not.
// Whatever is accepted must be whole: finite points, indices in range, a survey that ends.
#include "mesh.h"
#include "source.h"

static void check_mesh(const apart_mesh* mesh) {
    REQUIRE(mesh->vertex_count > 0);
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const apart_vec3 v = mesh->vertices[i];
        REQUIRE(fabs(v.x) <= APART_LIMIT && fabs(v.y) <= APART_LIMIT && fabs(v.z) <= APART_LIMIT);
    }
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (size_t i = 0; i < 3; i++) REQUIRE(mesh->triangles[t][i] < mesh->vertex_count);
    apart_mesh_survey survey;
    REQUIRE(apart_mesh_look(mesh, &survey) == APART_OK);
    REQUIRE(survey.distinct > 0 && survey.distinct <= mesh->vertex_count);
    REQUIRE(survey.unused <= mesh->vertex_count);
}

// A refusal is one line that begins with the name.
static void check_error(const char* name, apart_status status, const apart_mesh* mesh, const apart_error* error) {
    REQUIRE(error->status == status);
    REQUIRE(strncmp(error->message, name, strlen(name)) == 0 && error->message[strlen(name)] == ':');
    REQUIRE(!strchr(error->message, '\n') && strlen(error->message) < sizeof error->message);
    REQUIRE(!mesh->vertices && !mesh->triangles);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const char* const names[] = {"a.stl", "a.obj", "a.ply", "a.off", "a.xyz", "a", "points"};
    if (size == 0) return 0;
    const size_t choice = data[0] % (sizeof names / sizeof *names);
    const char* name = names[choice];
    apart_mesh mesh;
    apart_error error = {0};
    const apart_status status = choice == 6 ? apart_points_parse(name, data + 1, size - 1, &mesh, &error)
                                            : apart_mesh_parse(name, data + 1, size - 1, &mesh, &error);
    if (status == APART_OK)
        check_mesh(&mesh);
    else
        check_error(name, status, &mesh, &error);
    apart_mesh_free(&mesh);
    return 0;
}
