// The search for AVX-512; compiled with -mavx512f -mavx512dq.
#define OVERLAY_SEARCH apart_overlay_avx512
#include "convex/overlay.inc"
