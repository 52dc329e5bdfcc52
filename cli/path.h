// The pairs of a scene along its motions: what 'apart path' found, and how it is printed.
#ifndef APART_CLI_PATH_H
#define APART_CLI_PATH_H

#include "apart/io.h"
#include "plot.h"

/// Two bodies of which one moves at least.
typedef struct path_pair {
    size_t a, b; // indices of the scene's bodies, a < b
    course course;
    sample* samples; // at steps + 1 equal times
    double largest;  // of their distances, overlaps included
    apart_status status;
} path_pair;

typedef struct path {
    const char* file;
    const apart_io_scene* scene;
    apart_motion* motion; // of each body; one that stays has its pose
    path_pair* pairs;     // in order of (a, b)
    size_t count;
    size_t steps;
    double clearance;
    apart_depth depth;
    size_t common; // a body that is in every pair; scene->count = there is none
} path;

/// What a pair is called beside the others: both names or, of pairs that have one body in common, the other one. Names
/// are cut to so many columns.
typedef struct pair_text {
    char text[420];
} pair_text;
pair_text show_pair(const path* p, const path_pair* pair, int columns);

/// The pairs in another order.
typedef struct path_entry {
    const path_pair* pair;
} path_entry;

/// By their first contacts, then by their least distances. `order` has room for all.
void path_sort(const path* p, path_entry* order);

/// For people, and for programs. They return the exit status.
int print_path(const path* p, const path_entry* order);
int print_path_csv(const path* p);
int print_path_json(const path* p);

#endif
