// Scenes as the command line names them.
#ifndef APART_CLI_SCENE_H
#define APART_CLI_SCENE_H

#include "apart/io.h"

#include <string.h>

/// A scene file, "-" being standard input, or mesh files and folders of them. Says what is odd, or why there is none
/// and returns NULL. Release the scene. Options beside `strict` are for mesh files.
apart_io_scene* scene_open(char** arguments, int count, const apart_io_options* options);

/// Whether the arguments are one scene file: standard input, or a name that ends in .json.
bool scene_is_file(char** arguments, int count);

/// Whether a body is called so, or is an object of one that is.
static inline bool scene_body_is_called(const apart_io_body* body, const char* name) {
    const size_t length = strlen(name);
    return !strncmp(body->name, name, length) && (body->name[length] == '\0' || body->name[length] == '/');
}

#endif
