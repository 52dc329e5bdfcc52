// The search for AVX2; compiled with -mavx2.
#define OVERLAY_SEARCH apart_overlay_avx2
#include "convex/overlay.inc"
