// The search for any machine.
#define OVERLAY_SEARCH apart_overlay_portable
#include "convex/overlay.inc"
