// Spheres and capsules against each other and spheres against boxes, about their own origins: closed forms, before
// anything is set up.
#ifndef APART_CONVEX_PRIMITIVE_PAIRS_H
#define APART_CONVEX_PRIMITIVE_PAIRS_H

#include "convex/minkowski.h"

/// Whether the core is a point or a segment with its middle in the body's own origin, which the stored one is too.
static inline bool shape_is_centred_stick(const apart_shape* s) {
    return s->polytope.count - 1u < 2u && vec3_is_zero(s->center) && vec3_is_zero(s->origin);
}

/// Whether two bodies are such a pair, and at least one has a radius.
static inline bool primitive_pair_applies(const apart_shape* a, const apart_shape* b) {
    if (!(a->radius + b->radius > 0)) return false;
    if (a->kind == SHAPE_BOX) return b->polytope.count == 1 && shape_is_centred_stick(b);
    if (b->kind == SHAPE_BOX) return a->polytope.count == 1 && shape_is_centred_stick(a);
    return shape_is_centred_stick(a) && shape_is_centred_stick(b);
}

/// The whole answer for such a pair, by METHOD_AUTO. False if the cores meet or nearly do, if the formulas do not close
/// the interval to rounding (as of a box whose matrix is only almost a rotation), and without a depth if the bodies
/// touch to rounding: then nothing is written. The poses have been checked; slack: what they may be wrong by,
/// at any point of the bodies, in the caller's unit. cache may be NULL, and remembers the normal.
bool apart_primitive_pairs_measure(const posed_shape* a, const posed_shape* b, const apart_query* query, double slack,
                                   apart_cache* cache, apart_result* result);

#endif
