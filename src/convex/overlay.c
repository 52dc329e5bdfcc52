// Which search can this machine run?
#include "convex/overlay.h"

overlay_fn apart_overlay_kernel(int index) {
    overlay_fn usable[4] = {0};
    int count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) usable[count++] = apart_overlay_avx512;
    if (__builtin_cpu_supports("avx2")) usable[count++] = apart_overlay_avx2;
#endif
    usable[count++] = apart_overlay_portable;
    return index >= 0 && index < count ? usable[index] : NULL;
}

bool apart_overlay_run(difference* k, const goal* g, outcome* out) {
    if (!apart_overlay_kernel(0)(k, g, out)) return false;
    if (g->trace) apart_narrow_trace(k, g, 1, &out->a, &out->b, out->upper, out->lower);
    return true;
}
