// Any bytes as a scene file. What is refused is refused with its place; what is loaded can be asked.
#include "apart/io.h"
#include "source.h"

#include <stdio.h>

static bool count_pair(const apart_scene_pair* pair, void* context) {
    check_numbers(&pair->result, APART_DEPTH_NONE);
    return ++*(size_t*)context < 100;
}

static bool count_contact(const apart_scene_contact* contact, void* context) {
    REQUIRE(contact->contact.time >= 0 && contact->contact.time <= 1);
    return ++*(size_t*)context < 100;
}

static void check_scene(const apart_io_scene* scene) {
    REQUIRE(scene->count > 0 && scene->count == apart_scene_count(scene->scene));
    for (size_t i = 0; i < scene->count; i++)
        REQUIRE(scene->bodies[i].id == i && scene->bodies[i].name[0] && scene->bodies[i].kind);
    size_t pairs = 0, contacts = 0;
    const apart_motion_query query = {.clearance = 0.1, .max_steps = 50};
    if (scene->count > 20) return;
    // Numbers that are too large together are refused, with a status.
    apart_scene_within(scene->scene, 0.1, NULL, 1, count_pair, &pairs);
    apart_scene_contacts(scene->scene, scene->motions, scene->motion_count, &query, 1, count_contact, &contacts);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const char name[] = "/nowhere/fuzz.json";
    const apart_io_options options = {.limit = 1 << 16};
    apart_error error;
    apart_io_scene* scene = apart_io_scene_parse(name, data, size, &options, &error);
    if (scene) {
        check_scene(scene);
    } else {
        unsigned line = 0, column = 0;
        int used = 0;
        REQUIRE(error.status != APART_OK && !strchr(error.message, '\n'));
        REQUIRE(sscanf(error.message, "/nowhere/fuzz.json:%u:%u: %n", &line, &column, &used) == 2 &&
                error.message[used]);
    }
    apart_io_scene_release(scene);
    return 0;
}
