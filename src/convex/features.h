// The algorithm of Sundaraj, d'Aulignac and Mazer 2000: one feature per body.
#ifndef APART_CONVEX_FEATURES_H
#define APART_CONVEX_FEATURES_H

#include "convex/narrow.h"

/// Narrows the distance of the cores of k. cache may be NULL.
void apart_features_run(difference* k, const goal* g, apart_cache* cache, outcome* out);

#endif
