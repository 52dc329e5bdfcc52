// Which kernels can this machine run?
#include "base/kernels.h"

const kernels* apart_kernels_at(int index) {
    const kernels* usable[4] = {0};
    int count = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        usable[count++] = &apart_kernels_avx512;
    if (__builtin_cpu_supports("avx2")) usable[count++] = &apart_kernels_avx2;
#endif
    usable[count++] = &apart_kernels_portable;
    return index >= 0 && index < count ? usable[index] : NULL;
}

const kernels* apart_kernels_short(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return &apart_kernels_avx2;
#endif
    return &apart_kernels_portable;
}

const kernels* apart_kernels(void) { return apart_kernels_at(0); }
