// The kernels for AVX2; compiled with -mavx2.
#define KERNELS apart_kernels_avx2
#define KERNELS_NAME "AVX2"
#include "base/kernels.inc"
