// Long work in measured steps: whoever works adds what is done, and now and then the caller's progress function is told
// the part of the whole, and asked whether to go on.
//
// Work is counted in nanoseconds of an ordinary machine, as measured once per kind of work: the parts told are then
// about parts of the time, and the function is called some hundred times a second, whatever the size of the work.
#ifndef APART_BASE_PROGRESS_H
#define APART_BASE_PROGRESS_H

#include "apart/apart.h"
#include "base/arithmetic.h"

/// {0} never tells, and never stops.
typedef struct meter {
    apart_progress_fn progress; // NULL = none
    void* context;
    double from;       // the part that was done when the work was last reckoned
    double work, done; // the work from there on, and what is done of it
    double due;        // when to tell next
    bool cancelled;    // the function said so: all work ends
} meter;

/// Between two calls.
#define METER_STRIDE 3e6
/// Loops add what they have done after every so many items, a power of two.
#define METER_ITEMS 0x4000u

/// The part that is done.
static inline double meter_part(const meter* m) {
    return m->done < m->work ? m->from + (1 - m->from) * (m->done / m->work) : 1;
}

/// Tells it. False if the work is to end.
static inline bool meter_tell(meter* m) {
    m->due = m->done + METER_STRIDE;
    if (m->progress && !m->cancelled) m->cancelled = !m->progress(meter_part(m), m->context);
    return !m->cancelled;
}

/// So much more is done. False if the work is to end.
static inline bool meter_add(meter* m, double work) {
    m->done += work;
    return m->done < m->due ? !m->cancelled : meter_tell(m);
}

/// The same from within a loop over items, each of which is this much work: counts at every METER_ITEMSth of them.
static inline bool meter_item(meter* m, size_t item, double work) {
    return (item & (METER_ITEMS - 1)) != METER_ITEMS - 1 || meter_add(m, work * METER_ITEMS);
}

/// There is so much left to do. What is done stays the part that it was.
static inline void meter_rest(meter* m, double work) {
    m->from = meter_part(m);
    m->work = work;
    m->due -= m->done;
    m->done = 0;
}

/// There is so much more left than was thought.
static inline void meter_more(meter* m, double work) {
    meter_rest(m, (m->done < m->work ? m->work - m->done : 0) + work);
}

#endif
