// The kernels for any machine.
#define WIDE_KERNELS apart_wide_portable
#define WIDE_NAME "portable"
#include "mesh/wide.inc"
