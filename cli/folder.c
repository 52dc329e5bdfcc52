// Walks through folders, in the order of the names.
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool name_list_add(name_list* list, const char* name) {
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 16;
        char** larger = realloc(list->name, room * sizeof *larger);
        if (!larger) return false;
        list->name = larger;
        list->room = room;
    }
    char* copy = strdup(name);
    if (!copy) return false;
    list->name[list->count++] = copy;
    return true;
}

void name_list_free(name_list* list) {
    for (size_t i = 0; i < list->count; i++) free(list->name[i]);
    free(list->name);
    *list = (name_list){0};
}

bool is_folder(const char* path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static bool is_model(const char* name) {
    static const char* const endings[] = {".stl", ".obj", ".ply", ".off", ".xyz", ".pts"};
    const char* ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (!strcasecmp(ending, endings[i])) return true;
    return false;
}

// By bytes, so that the order is the same everywhere.
static int by_name(const struct dirent** a, const struct dirent** b) { return strcmp((*a)->d_name, (*b)->d_name); }

static int is_visible(const struct dirent* entry) { return entry->d_name[0] != '.'; }

static bool add_entry(const char* folder, const char* name, name_list* list) {
    const char* slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    const size_t size = strlen(folder) + strlen(name) + 2;
    char* path = malloc(size);
    struct stat about;
    if (!path) return false;
    snprintf(path, size, "%s%s%s", folder, slash, name);
    bool good = true;
    if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode))
        good = folder_list(path, list);
    else if (is_model(name))
        good = name_list_add(list, path);
    free(path);
    return good;
}

// Recursion ends where the system ends it: a path has a greatest length.
bool folder_list(const char* path, name_list* list) {
    struct dirent** entries = NULL;
    const int count = scandir(path, &entries, is_visible, by_name);
    bool good = count >= 0;
    for (int i = 0; i < count; i++) {
        good = good && add_entry(path, entries[i]->d_name, list);
        free(entries[i]);
    }
    free(entries);
    return good;
}
