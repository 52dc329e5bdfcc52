// The models in a folder.
#ifndef APART_CLI_FOLDER_H
#define APART_CLI_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/// Names that are the list's own. {0} is empty.
typedef struct name_list {
    char** name;
    size_t count, room;
} name_list;

/// One more name; false if there is no memory.
bool name_list_add(name_list* list, const char* name);
void name_list_free(name_list* list);

bool is_folder(const char* path);

/// The files below a folder whose names end as meshes and points do (.stl .obj .ply .off .xyz .pts), in the order of
/// their names, each with the path in front. Names that begin with a dot are passed over, and links to folders are not
/// followed. False, with errno set, if a folder cannot be read.
bool folder_list(const char* path, name_list* list);

#endif
