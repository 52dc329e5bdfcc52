// What must be true of every answer about two moving bodies, whatever they are: it is compared with the distance at
// many instants.
#ifndef APART_TESTS_MOTION_CHECK_H
#define APART_TESTS_MOTION_CHECK_H

#include "apart/apart.h"

#define MOST_SPANS 128
#define MOST_KEYS 6

/// Two bodies in motion and what is asked of them.
typedef struct encounter_case {
    const apart_shape *a, *b;
    apart_motion motion_a, motion_b;
    apart_motion_query query;
} encounter_case;

/// The three answers.
typedef struct motion_answer {
    apart_contact contact;
    apart_approach approach;
    apart_span span[MOST_SPANS];
    size_t spans;
} motion_answer;

/// How the answers fared, summed up.
typedef struct motion_tally {
    long asked, kinds[4];      // first contacts by kind
    long spans, span_kinds[4]; // spans by kind
    long wide;                 // brackets wider than the tolerance, though velocities are known and steps plenty
    long samples, touching;    // instants measured, and those in contact
    long overlooked;           // instants of freedom inside a span of contact that a span should have ended for
    long compared, agreeing;   // times of first and last contact beside those of the case changed; equal to 1e-9
    long doubtful;             // contacts of one that are none of the other, no deeper than rounding
    double steps[3];           // of first contact and closest approach, summed up; the most of a first contact
} motion_tally;

/// Asks all three. The first status that is not APART_OK, if any.
apart_status motion_ask(const encounter_case* c, motion_answer* answer);

/// NULL, or what is wrong with the answers, as told by `samples` instants and by themselves. Adds to the tally.
const char* motion_check(const encounter_case* c, const motion_answer* answer, int samples, motion_tally* tally);

/// Both.
const char* motion_ask_and_check(const encounter_case* c, int samples, motion_answer* answer, motion_tally* tally);

/// The same case with the bodies exchanged.
encounter_case case_exchanged(const encounter_case* c);
/// The same case with time reversed; it reads c. keys: the room for those of a and of b, at most MOST_KEYS each; NULL
/// if there are none.
encounter_case case_reversed(encounter_case* c, apart_key keys[2][MOST_KEYS]);
/// NULL, or how the answers x to a case contradict y, those to the same one with the bodies exchanged or time reversed:
/// what is certain of one must be possible for the other, and contact begins and ends at the same times, but for
/// grazing. To be asked both ways. Adds to the tally.
const char* motion_contradicts(const encounter_case* c, const motion_answer* x, const motion_answer* y, bool reversed,
                               motion_tally* tally);

void motion_tally_print(const char* what, const motion_tally* t);

#endif
