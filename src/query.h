// What apart_distance and the calls for many pairs share.
#ifndef APART_QUERY_H
#define APART_QUERY_H

#include "apart/apart.h"

/// Checks a query (NULL: the default) and writes it down in plain numbers: its cutoff is INFINITY if there is none.
/// APART_OK, APART_NOT_FINITE or APART_INVALID.
apart_status apart_query_read(const apart_query* query, apart_query* plain);

/// The same for a call about many pairs: no trace (APART_UNSUPPORTED), whose steps nobody could tell apart, and no
/// number of threads below 0.
static inline apart_status query_read_for_many(const apart_query* query, int threads, apart_query* plain) {
    apart_status status = apart_query_read(query, plain);
    if (status == APART_OK && plain->trace) status = APART_UNSUPPORTED;
    return status == APART_OK && threads < 0 ? APART_INVALID : status;
}

#endif
