// Motions said on the line, and what 'apart distance' answers about bodies that move.
#ifndef APART_CLI_MOTION_H
#define APART_CLI_MOTION_H

#include "body.h"

/// A motion and the keys that it may have.
typedef struct motion_word {
    apart_motion motion;
    apart_key* keys; // NULL = none
} motion_word;

/// The motion that begins at `start`: to:POSE[;POSE...], nlerp:POSE or velocity:VX,VY,VZ[,WX,WY,WZ]; NULL stays there.
/// On failure a sentence in *error. Close it after success.
bool motion_parse(const char* text, const apart_pose* start, motion_word* out, apart_error* error);
void motion_close(motion_word* m);

/// First contact, spans and closest approach of two bodies, for people or as one JSON object. Returns the exit status.
int answer_motion(const body* a, const apart_motion* motion_a, const body* b, const apart_motion* motion_b,
                  double clearance, bool json);

#endif
