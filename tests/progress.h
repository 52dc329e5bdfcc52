// A progress function that watches how it is called, and gives up at a call of one's choice.
#ifndef APART_TESTS_PROGRESS_H
#define APART_TESTS_PROGRESS_H

#include <stdbool.h>

typedef struct follower {
    int stop_at; // give up at this call; 0 = never
    int calls;
    double last;
    bool disorder; // a step back, or out of 0 to 1
} follower;

static inline bool follow(double done, void* context) {
    follower* f = context;
    f->disorder = f->disorder || !(done >= f->last && done >= 0 && done <= 1);
    f->last = done;
    return ++f->calls != f->stop_at;
}

#endif
