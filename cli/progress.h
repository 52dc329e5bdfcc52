// A bar for long work: on standard error, and only if that is a terminal.
#ifndef APART_CLI_PROGRESS_H
#define APART_CLI_PROGRESS_H

#include <stdbool.h>

/// Between progress_start and progress_finish. The text must last as long.
typedef struct progress {
    const char* what; // the work, in front of the bar
    double begun;     // in seconds of the monotonic clock
    double drawn;     // when the bar was last drawn
    bool terminal;    // there is someone to see it
    bool visible;     // the bar is on the screen
} progress;

/// Nothing is drawn before the first progress_show that comes half a second after this.
void progress_start(progress* p, const char* what);

/// An apart_progress_fn: draws the part that is done, 0 to 1, at most ten times a second. The context is a progress.
/// Always true: the work goes on.
bool progress_show(double done, void* context);

/// Clears the line, if there is anything on it. To be called before anything else is printed.
void progress_finish(progress* p);

#endif
