/// The clock, the median of what it measured, and one line about what it runs on.
#ifndef APART_BENCH_MACHINE_H
#define APART_BENCH_MACHINE_H

/// Processor seconds of this thread: what other programs do meanwhile does not count.
double clock_seconds(void);

/// Seconds of the clock on the wall, for what runs on several threads.
double wall_seconds(void);

/// The median of `count` >= 1 numbers, which it sorts.
double median(double* numbers, int count);

/// Prints the processor, the compiler and its flags.
void print_machine(void);

#endif
