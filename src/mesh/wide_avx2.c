// The kernels for AVX2; compiled with -mavx2.
#define WIDE_KERNELS apart_wide_avx2
#define WIDE_NAME "AVX2"
#include "mesh/wide.inc"
