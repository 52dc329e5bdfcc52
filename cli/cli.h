// What main and the subcommands share.
#ifndef APART_CLI_CLI_H
#define APART_CLI_CLI_H

/// Exit status of everything that went wrong.
enum { EXIT_TROUBLE = 2 };

/// The subcommands: arguments from the subcommand's name on. They return the exit status.
int run_distance(int argc, char** argv);
int run_info(int argc, char** argv);
int run_check(int argc, char** argv);
int run_scene(int argc, char** argv);
int run_path(int argc, char** argv);

/// Says "apart: ..." on standard error, in one line whatever the text holds. Returns EXIT_TROUBLE.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
int complain(const char* format, ...);

/// Says "apart: warning: ..." in the same way.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void warn(const char* format, ...);

/// The sentence for what getopt_long did not take ('?' or ':'), with a hint to the help of `command`.
int complain_option(const char* command, int result, char** argv);

/// Prints a text and returns the exit status 0.
int print_help(const char* text);

#endif
