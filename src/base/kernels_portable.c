// The kernels for any machine.
#define KERNELS apart_kernels_portable
#define KERNELS_NAME "portable"
#include "base/kernels.inc"
