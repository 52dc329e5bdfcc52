// The experiments of the five papers: CSV files for the figures, counts that are the same everywhere, and a table of
// the papers' values beside ours.
#include "lab.h"

#include "../machine.h"
#include "../options.h"

#include <unistd.h>

static const struct experiment {
    const char* name;
    void (*run)(lab* l);
} EXPERIMENTS[] = {
    {"gjk", paper_gilbert},       {"path", paper_path},       {"lumelsky", paper_lumelsky},
    {"sundaraj", paper_sundaraj}, {"quinlan", paper_quinlan}, {"cameron", paper_cameron},
};

static const char HELP[] = "papers [OPTION...] [NAME...]: the papers' experiments\n"
                           "\n"
                           "  gjk        Gilbert, Johnson, Keerthi 1988, section VII: 6,000 queries, segments\n"
                           "  path       the same, section VIII: the path example, negative distance\n"
                           "  lumelsky   Lumelsky 1985: segments\n"
                           "  sundaraj   Sundaraj, d'Aulignac, Mazer 2000: features\n"
                           "  quinlan    Quinlan 1994: trees of spheres\n"
                           "  cameron    Cameron 1997: hill climbing, tracking, penetration\n"
                           "\n"
                           "  --out FOLDER    a CSV file for each figure\n"
                           "  --golden FILE   compare the counts with these\n"
                           "  --counts        the counts alone, without the longest: print them, or compare them\n"
                           "  --quick         fewer rounds of the clock\n"
                           "\n"
                           "Exit status 1 if an answer is wrong or a count is not what it was, 2 if the arguments are "
                           "wrong.\n";

int main(int argc, char** argv) {
    bool chosen[COUNT(EXPERIMENTS)] = {false}, quick = false, counts = false, all = true;
    const char* golden = NULL;
    lab l = {.good = true, .terminal = isatty(STDERR_FILENO)};
    option words[COUNT(EXPERIMENTS) + 4] = {{"--quick", .flag = &quick},
                                            {"--counts", .flag = &counts},
                                            {"--out", .text = &l.folder},
                                            {"--golden", .text = &golden}};
    for (size_t i = 0; i < COUNT(EXPERIMENTS); i++) words[i + 4] = (option){EXPERIMENTS[i].name, .flag = &chosen[i]};
    int stop = options_parse(words, COUNT(words), "papers", HELP, argc, argv);
    if (stop) return stop - 1;
    for (size_t i = 0; i < COUNT(EXPERIMENTS); i++) all = all && !chosen[i];
    l.rounds = counts ? 0 : quick ? 1 : 5;
    for (size_t i = 0; i < COUNT(EXPERIMENTS); i++)
        if (chosen[i] || all) EXPERIMENTS[i].run(&l);
    if (counts && !golden) l.good = lab_write_counts(&l, stdout) && l.good;
    if (!counts) {
        print_machine();
        putchar('\n');
        lab_summary(&l);
    }
    if (golden) l.good = lab_check_counts(&l, golden, all && !counts) && l.good;
    lab_free(&l);
    return l.good ? 0 : 1;
}
