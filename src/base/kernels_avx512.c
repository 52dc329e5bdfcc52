// The kernels for AVX-512; compiled with -mavx512f -mavx512dq.
#define KERNELS apart_kernels_avx512
#define KERNELS_NAME "AVX-512"
#include "base/kernels.inc"
