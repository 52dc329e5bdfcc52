// Is a body inside another?
#ifndef APART_CLI_CONTAINMENT_H
#define APART_CLI_CONTAINMENT_H

#include "apart/apart.h"

/// Whether it is certain that every point of `inner` is one of `outer`. False may also mean that it was not found out,
/// as where they share a piece of their surfaces.
bool containment_is_certain(const apart_scene_body* outer, const apart_scene_body* inner);

#endif
