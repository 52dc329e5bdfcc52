// Which kernels can this machine run?
#include "mesh/wide.h"

const wide_kernels* apart_wide_kernels(int index) {
    const wide_kernels* usable[4] = {0};
    int count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) usable[count++] = &apart_wide_avx512;
    if (__builtin_cpu_supports("avx2")) usable[count++] = &apart_wide_avx2;
#endif
    usable[count++] = &apart_wide_portable;
    return index >= 0 && index < count ? usable[index] : NULL;
}

const wide_kernels* apart_wide(void) { return apart_wide_kernels(0); }
