// bench/papers: the papers' experiments in small, with the papers' figures beside ours.
#include "papers/lab.h"

#include "machine.h"

#include <stdio.h>
#include <string.h>

typedef struct experiment {
    const char *name, *what;
    bool (*run)(bool quick);
} experiment;

static const experiment EXPERIMENTS[] = {
    {"gjk", "Gilbert, Johnson, Keerthi 1988: 6,000 queries", paper_gilbert},
    {"path", "the same, the path example: cold against warm", paper_path},
    {"cameron", "Cameron 1997: hill climbing and tracking", paper_cameron},
    {"sundaraj", "Sundaraj, d'Aulignac, Mazer 2000: features", paper_sundaraj},
    {"lumelsky", "Lumelsky 1985: segments", paper_lumelsky},
    {"quinlan", "Quinlan 1994: trees of spheres", paper_quinlan},
};
#define COUNT (sizeof EXPERIMENTS / sizeof EXPERIMENTS[0])

static void help(void) {
    puts("bench/papers [--quick] [NAME...]: the papers' experiments\n");
    for (size_t i = 0; i < COUNT; i++) printf("  %-10s %s\n", EXPERIMENTS[i].name, EXPERIMENTS[i].what);
    puts("\nExit status 1 if an answer is wrong, 2 if the arguments are.");
}

// Marks the named experiment; false if there is none.
static bool choose(const char* name, bool chosen[COUNT]) {
    for (size_t i = 0; i < COUNT; i++)
        if (!strcmp(name, EXPERIMENTS[i].name)) return chosen[i] = true;
    return false;
}

int main(int argc, char** argv) {
    bool chosen[COUNT] = {false}, quick = false, any = false, good = true;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help")) {
            help();
            return 0;
        }
        if (!strcmp(argv[i], "--quick"))
            quick = true;
        else if (choose(argv[i], chosen))
            any = true;
        else {
            fprintf(stderr, "papers: do not understand '%s' (try --help)\n", argv[i]);
            return 2;
        }
    }
    puts("apart bench/papers: the papers' experiments\n");
    print_machine();
    for (size_t i = 0; i < COUNT; i++)
        if (chosen[i] || !any) good = EXPERIMENTS[i].run(quick) && good;
    printf("\nsummary: %s\n", good ? "every answer checked is right" : "wrong or missing answers");
    return good ? 0 : 1;
}
