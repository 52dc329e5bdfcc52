// The kernels for AVX-512; compiled with -mavx512f -mavx512dq.
#define WIDE_KERNELS apart_wide_avx512
#define WIDE_NAME "AVX-512"
#include "mesh/wide.inc"
