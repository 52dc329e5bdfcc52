// The clock, the processor, the compiler.
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

double clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void print_machine(void) {
    char line[256], model[200] = "unknown processor";
    FILE* f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        const char* colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(model, sizeof model, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (f) fclose(f);
#ifdef __clang__
    const char* compiler = "clang " __clang_version__;
#else
    const char* compiler = "gcc " __VERSION__;
#endif
    printf("machine    %s\ncompiler   %s, flags: %s\n", model, compiler, BENCH_FLAGS);
}
