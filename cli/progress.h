// A bar for long work: on standard error, and only if that is a terminal.
#ifndef APART_CLI_PROGRESS_H
#define APART_CLI_PROGRESS_H

#include <stdbool.h>

/// Between progress_start and progress_finish, one at a time. The texts must last as long.
typedef struct progress {
    const char* name;  // of what is worked on
    const char* phase; // in front of the name: "reading"
    double begun;      // in seconds of the monotonic clock
    double drawn;      // when the bar was last drawn
    bool terminal;     // there is someone to see it
    bool visible;      // something is on the line
} progress;

/// A bar is not drawn before the first progress_show that comes half a second after this.
void progress_start(progress* p, const char* name);

/// The next part of the work. The bar begins anew.
void progress_phase(progress* p, const char* phase);

/// The same for work that cannot tell how far it is: its name is drawn at once, if it is large or a bar is there.
void progress_wait(progress* p, const char* phase, bool large);

/// An apart_progress_fn: draws the part that is done, 0 to 1, at most ten times a second. The context is a progress.
/// Always true: the work goes on.
bool progress_show(double done, void* context);

/// Clears the line, if there is anything on it. To be called before anything else is printed.
void progress_finish(progress* p);

#endif
