// bench/papers: the papers' experiments in small, with the papers' figures beside ours.
#include "papers/lab.h"

#include "machine.h"
#include "options.h"

#include <stdio.h>

static const struct experiment {
    const char* name;
    bool (*run)(bool quick);
} EXPERIMENTS[] = {
    {"gjk", paper_gilbert},       {"path", paper_path},         {"cameron", paper_cameron},
    {"sundaraj", paper_sundaraj}, {"lumelsky", paper_lumelsky}, {"quinlan", paper_quinlan},
};

static const char HELP[] = "bench/papers [--quick] [NAME...]: the papers' experiments\n"
                           "\n"
                           "  gjk        Gilbert, Johnson, Keerthi 1988: 6,000 queries\n"
                           "  path       the same, the path example: cold against warm\n"
                           "  cameron    Cameron 1997: hill climbing and tracking\n"
                           "  sundaraj   Sundaraj, d'Aulignac, Mazer 2000: features\n"
                           "  lumelsky   Lumelsky 1985: segments\n"
                           "  quinlan    Quinlan 1994: trees of spheres\n"
                           "\n"
                           "Exit status 1 if an answer is wrong, 2 if the arguments are.\n";

int main(int argc, char** argv) {
    bool chosen[COUNT(EXPERIMENTS)] = {false}, quick = false, any = false, good = true;
    option words[COUNT(EXPERIMENTS) + 1] = {{"--quick", .flag = &quick}};
    for (size_t i = 0; i < COUNT(EXPERIMENTS); i++) words[i + 1] = (option){EXPERIMENTS[i].name, .flag = &chosen[i]};
    int stop = options_parse(words, COUNT(words), "papers", HELP, argc, argv);
    if (stop) return stop - 1;
    puts("apart bench/papers: the papers' experiments\n");
    print_machine();
    for (size_t i = 0; i < COUNT(EXPERIMENTS); i++) any = any || chosen[i];
    for (size_t i = 0; i < COUNT(EXPERIMENTS); i++)
        if (chosen[i] || !any) good = EXPERIMENTS[i].run(quick) && good;
    printf("\nsummary: %s\n", good ? "every answer checked is right" : "wrong or missing answers");
    return good ? 0 : 1;
}
