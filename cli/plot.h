// A picture of distances over time, as SVG: GJK's Fig. 6, with what is certain marked in it.
#ifndef APART_CLI_PLOT_H
#define APART_CLI_PLOT_H

#include "course.h"

#include <stdio.h>

/// A distance at a time, and the bracket that certainly holds it.
typedef struct sample {
    double time, distance, lower, upper;
} sample;

typedef struct plot_curve {
    const char* label;     // short
    const sample* samples; // in order of time, two at least
    size_t count;
    double speed; // the distance changes at most so fast; INFINITY if nothing is known
    double floor; // and is never below this; -INFINITY if nothing is known
    const course* course;
} plot_curve;

typedef struct plot {
    const char* title;
    const plot_curve* curves; // the first PLOT_CURVES have a colour and a label, the rest are grey
    size_t count;
    size_t pairs;     // how many there are, shown or not
    size_t steps;     // equal intervals of time between samples
    double clearance; // contact is: at most so far apart, and the margins of the pair
} plot;

enum { PLOT_CURVES = 12 };

/// Writes the picture. What cannot be written shows in the stream's state.
void plot_write(FILE* out, const plot* p);

#endif
