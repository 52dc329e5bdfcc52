// apart: how far apart are two things? Finds the subcommand, and makes sure that the answer was written.
#include "apart/apart.h"
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "apart: how far apart are two things?\n"
                           "\n"
                           "Usage: apart COMMAND [ARGUMENTS]\n"
                           "\n"
                           "Commands:\n"
                           "  distance A B   distance, nearest points and direction between two bodies\n"
                           "  check SCENE    every pair of bodies closer than a clearance, worst first\n"
                           "  path SCENE     distances, contacts and closest approaches along motions\n"
                           "  scene FILE     checks a scene file and says what is in it\n"
                           "  info FILE...   what is in files: points, triangles, volume, components, size\n"
                           "  help COMMAND   the help of a command\n"
                           "\n"
                           "Options:\n"
                           "  -h, --help     this help; 'apart COMMAND --help' for a command\n"
                           "  -V, --version  the version\n"
                           "\n"
                           "A body is a file (STL, OBJ, PLY, OFF, or lines of x y z) or a shape said on the\n"
                           "line, such as box:1,2,3. Triangles are taken as they are, points as their hull.\n"
                           "\n"
                           "Examples:\n"
                           "  apart distance box:1,1,1 sphere:0.5 --pose-b 4,0,0\n"
                           "  apart distance gear.ply rocket.stl --pose-b 0,0,3,0,1.57,0 --json\n"
                           "  apart check cell.json --clearance 2\n"
                           "  apart path cell.json --plot distances.svg\n"
                           "  apart info gear.ply\n"
                           "\n"
                           "Exit status: 0 if there is an answer (overlap is one), 2 if not. Of check 1 if\n"
                           "there are pairs that are too near.\n";

int print_help(const char* text) {
    fputs(text, stdout);
    return EXIT_SUCCESS;
}

// One line on standard error. A file name may hold anything; the message stays one line of plain characters.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 0)))
#endif
static void
say(const char* what, const char* format, va_list arguments) {
    char text[600];
    vsnprintf(text, sizeof text, format, arguments);
    for (char* c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '\x7f') *c = '?';
    fprintf(stderr, "apart: %s%s\n", what, text);
}

int complain(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    return EXIT_TROUBLE;
}

void warn(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", format, arguments);
    va_end(arguments);
}

int complain_option(const char* command, int result, char** argv) {
    const char* word = argv[optind - 1];
    if (result == ':') return complain("option '%s' needs a value; see 'apart %s --help'", word, command);
    if (!optopt) return complain("unknown or ambiguous option '%s'; see 'apart %s --help'", word, command);
    if (!strncmp(word, "--", 2)) return complain("option '%s' takes no value; see 'apart %s --help'", word, command);
    return complain("unknown option '-%c'; see 'apart %s --help'", optopt, command);
}

typedef struct command {
    const char* name;
    int (*run)(int argc, char** argv);
} command;

static const command commands[] = {
    {"distance", run_distance}, {"check", run_check}, {"path", run_path}, {"scene", run_scene}, {"info", run_info}};

// NULL if there is no such command.
static const command* find_command(const char* name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(name, commands[i].name)) return &commands[i];
    return NULL;
}

// apart help, apart help COMMAND
static int run_help(int argc, char** argv) {
    char* ask[] = {argv[argc - 1], "--help", NULL};
    if (argc == 1) return print_help(help);
    const command* c = argc == 2 ? find_command(argv[1]) : NULL;
    if (c) return c->run(2, ask);
    return complain("help takes the name of a command; see 'apart --help'");
}

static int run(int argc, char** argv) {
    if (argc < 2) return complain("say what to do, such as 'apart distance A B'; see 'apart --help'");
    const char* word = argv[1];
    if (!strcmp(word, "help")) return run_help(argc - 1, argv + 1);
    if (!strcmp(word, "--help") || !strcmp(word, "-h")) return print_help(help);
    if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
        printf("apart %s\n", apart_version());
        return EXIT_SUCCESS;
    }
    const command* c = find_command(word);
    if (c) return c->run(argc - 1, argv + 1);
    return complain("unknown %s '%s'; see 'apart --help'", word[0] == '-' ? "option" : "command", word);
}

int main(int argc, char** argv) {
    // A reader that goes away is a write that fails, seen below.
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN);
#endif
    const int status = run(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0)
        return complain("the answer could not be written: %s", strerror(errno ? errno : EIO));
    return status;
}
