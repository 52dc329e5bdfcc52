// The algorithm of Sundaraj, d'Aulignac and Mazer 2000: one feature per body.
#ifndef APART_PAPERS_SUNDARAJ2000_H
#define APART_PAPERS_SUNDARAJ2000_H

#include "convex/bracket.h"

/// Narrows the distance of the cores of k. cache may be NULL.
void apart_features_run(difference* k, const goal* g, apart_cache* cache, outcome* out);

#endif
