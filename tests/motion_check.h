// What must be true of every answer about two moving bodies, whatever they are: it is compared with the distance at
// many instants.
#ifndef APART_TESTS_MOTION_CHECK_H
#define APART_TESTS_MOTION_CHECK_H

#include "apart/apart.h"

#define MOST_SPANS 128

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
/// The same case with time reversed; not for KEYS and FUNCTION.
encounter_case case_reversed(const encounter_case* c);

void motion_tally_print(const char* what, const motion_tally* t);

#endif
