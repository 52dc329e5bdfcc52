// The depth of two hulls with few vertices from their Gauss maps.
#ifndef APART_CONVEX_OVERLAY_H
#define APART_CONVEX_OVERLAY_H

#include "convex/narrow.h"

/// Whether both cores have a Gauss map.
static inline bool overlay_applies(const difference* k) {
    return k->a.shape->gauss.faces > 0 && k->b.shape->gauss.faces > 0;
}

/// The depth, if the cores overlap by more than rounding and no edges that matter are almost parallel. False if not:
/// then nothing is known. Needs about 30 KB of stack.
bool apart_overlay_run(difference* k, const goal* g, outcome* out);

/// The search itself, compiled for AVX-512, AVX2 and any machine; all give the same bits. All that this machine can run
/// are listed, the fastest first: index 0, 1, ... up to NULL.
typedef bool (*overlay_fn)(difference* k, const goal* g, outcome* out);
overlay_fn apart_overlay_kernel(int index);

bool apart_overlay_portable(difference* k, const goal* g, outcome* out);
#if defined(__x86_64__)
bool apart_overlay_avx2(difference* k, const goal* g, outcome* out);
bool apart_overlay_avx512(difference* k, const goal* g, outcome* out);
#endif

#endif
