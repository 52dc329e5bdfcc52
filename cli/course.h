// What two bodies do along their motions: when they first meet, how near they come, and when they are in contact. All
// of it is certain at every instant from 0 to 1; nothing is sampled.
#ifndef APART_CLI_COURSE_H
#define APART_CLI_COURSE_H

#include "apart/apart.h"

#include <jansson.h>

typedef struct course {
    double clearance; // contact is: at most so far apart
    apart_contact first;
    apart_approach nearest;
    apart_span* spans; // in order
    size_t span_count;
} course;

/// Asks all three. On any status but APART_OK the course is empty. Else close it.
apart_status course_find(const apart_shape* a, const apart_motion* motion_a, const apart_shape* b,
                         const apart_motion* motion_b, double clearance, course* out);
void course_close(course* c);

/// "free", "contact", "near" or "undecided".
const char* contact_name(apart_contact_kind kind);

/// A time from 0 to 1, 9 digits.
typedef struct time_text {
    char text[32];
} time_text;
time_text show_time(double time);

/// {"first_contact", "closest_approach", "spans"}; NULL when out of memory.
json_t* json_course(const course* c);

#endif
