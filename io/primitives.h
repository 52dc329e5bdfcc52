// Shapes that a word and a few numbers describe, as scene files and the command line have them.
#ifndef APART_IO_PRIMITIVES_H
#define APART_IO_PRIMITIVES_H

#include <apart/apart.h>

/// box, sphere, capsule, cylinder, cone, ellipsoid, halfspace or ground, of as many numbers as it takes, in the order
/// of apart.h. NULL and *error on failure; NULL and nothing for another word.
apart_shape* apart_io_primitive(const char* word, const double n[4], apart_error* error);

#endif
