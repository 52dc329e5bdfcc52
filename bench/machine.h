/// The clock, and one line about what it runs on.
#ifndef APART_BENCH_MACHINE_H
#define APART_BENCH_MACHINE_H

/// Processor seconds of this thread: what other programs do meanwhile does not count.
double clock_seconds(void);

/// Prints the processor, the compiler and its flags.
void print_machine(void);

#endif
