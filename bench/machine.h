/// The clock, and one line about what it runs on.
#ifndef APART_BENCH_MACHINE_H
#define APART_BENCH_MACHINE_H

/// Seconds of a clock that never goes back.
double clock_seconds(void);

/// Prints the processor, the compiler and its flags.
void print_machine(void);

#endif
