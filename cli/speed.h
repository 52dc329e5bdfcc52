// How fast a body moves at most.
#ifndef APART_CLI_SPEED_H
#define APART_CLI_SPEED_H

#include "apart/apart.h"

/// No point of the body is ever faster than this, per unit of time; INFINITY if nothing is known. The distance of two
/// bodies changes at most as fast as both together.
double motion_speed(const apart_motion* motion, const apart_shape* shape);

#endif
