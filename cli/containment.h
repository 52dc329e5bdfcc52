// Is a body inside another?
#ifndef APART_CLI_CONTAINMENT_H
#define APART_CLI_CONTAINMENT_H

#include "apart/apart.h"

#include <stddef.h>

/// Whether it is certain that every point of `inner` is one of `outer`. False may also mean that it was not found out,
/// as where they share a piece of their surfaces, or where *budget, the points that may be looked at, is used up.
bool containment_is_certain(const apart_scene_body* outer, const apart_scene_body* inner, size_t* budget);

#endif
