// The tool's bar, seen through a pseudo terminal: drawn for long work only, wiped at the end. Colours of the answer.
//
// Long work is made by a slow pipe: what the tool reads stops for longer than the bar's patience.
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char* tool; // the path of apart
static const char wipe[] = "\r\033[K";

/// A run of the tool: standard input comes from a pipe, standard error goes to a terminal, the answer nowhere unless it
/// is shown.
typedef struct run {
    bool shown;
    pid_t child;
    int input, terminal;
    char seen[1 << 16]; // on the terminal, as a string
    size_t length;
    int status; // as of waitpid
} run;

static void become_tool(const char* slave, int input, bool shown, const char* kind, char** argv) {
    setsid();
    int error = open(slave, O_RDWR), nowhere = open("/dev/null", O_WRONLY);
    if (error < 0 || nowhere < 0) _exit(126);
    dup2(input, STDIN_FILENO);
    dup2(shown ? error : nowhere, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    setenv("TERM", kind, 1);
    execv(tool, argv);
    _exit(127);
}

static void start(run* r, const char* kind, char** argv) {
    int ends[2];
    *r = (run){.shown = r->shown, .terminal = posix_openpt(O_RDWR | O_NOCTTY)};
    if (r->terminal < 0) {
        print_message("there are no terminals on this machine\n");
        skip();
    }
    assert_true(r->terminal >= 0 && grantpt(r->terminal) == 0 && unlockpt(r->terminal) == 0);
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(r->terminal, F_SETFD, FD_CLOEXEC);
    const char* slave = ptsname(r->terminal);
    r->child = fork();
    assert_true(r->child >= 0);
    if (r->child == 0) become_tool(slave, ends[0], r->shown, kind, argv);
    close(ends[0]);
    r->input = ends[1];
}

/// Reads from the terminal to the end.
static void finish(run* r) {
    while (r->length + 1 < sizeof r->seen) {
        ssize_t got = read(r->terminal, r->seen + r->length, sizeof r->seen - 1 - r->length);
        if (got <= 0) break;
        r->length += (size_t)got;
    }
    assert_int_equal(waitpid(r->child, &r->status, 0), r->child);
    close(r->terminal);
}

static bool ends_with_wipe(const run* r) {
    size_t size = sizeof wipe - 1;
    return r->length >= size && !memcmp(r->seen + r->length - size, wipe, size);
}

static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL); }

static void feed(const run* r, const char* text, size_t size) {
    while (size > 0) {
        ssize_t put = write(r->input, text, size);
        assert_true(put > 0);
        text += put;
        size -= (size_t)put;
    }
}

/// A wavy sheet as OBJ, larger than what a pipe and the first read can hold.
static char* make_sheet(int side, size_t* size) {
    char* text = NULL;
    FILE* out = open_memstream(&text, size);
    assert_non_null(out);
    for (int i = 0; i < side * side; i++)
        fprintf(out, "v %.9f %.9f %.9f\n", i % side / 7.0, i / side / 7.0, i % 31 * (i % 31) % 31 / 31.0);
    for (int i = 0; i < side * (side - 1); i++)
        if (i % side != side - 1) fprintf(out, "f %d %d %d\n", i + 1, i + 2, i + side + 1);
    fclose(out);
    return text;
}

/// Feeds most of the sheet, waits if it is to be slow, feeds the rest.
static void feed_sheet(run* r, int side, bool slow) {
    size_t size = 0;
    char* text = make_sheet(side, &size);
    feed(r, text, size - 1000);
    if (slow) rest();
    feed(r, text + size - 1000, 1000);
    free(text);
    close(r->input);
}

static void test_surface(void** state) {
    (void)state;
    run r = {0};
    start(&r, "xterm", (char*[]){"apart", "info", "-", NULL});
    feed_sheet(&r, 80, true);
    finish(&r);
    print_message("%zu bytes on the terminal\n", r.length);
    assert_true(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 0);
    const char *reading = strstr(r.seen, "\r\033[Kreading - ["), *building = strstr(r.seen, "\r\033[Kbuilding - [");
    assert_true(reading && building && reading < building);
    assert_true(ends_with_wipe(&r) && !strchr(r.seen, '\n'));
}

/// The hull is named once the bar is there, and at once if it has many points.
static void test_hull(void** state) {
    (void)state;
    run r = {0};
    for (int large = 0; large < 2; large++) {
        start(&r, "xterm", (char*[]){"apart", "distance", "--hull", "-", "sphere:1", NULL});
        feed_sheet(&r, large ? 230 : 80, !large);
        finish(&r);
        assert_true(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 0);
        assert_true(large || strstr(r.seen, "\r\033[Kreading - ["));
        assert_non_null(strstr(r.seen, "\r\033[Khull of - ..."));
        assert_null(strstr(r.seen, "building"));
        assert_true(ends_with_wipe(&r) && !strchr(r.seen, '\n'));
    }
}

/// Short work, and long work on a terminal that cannot move back, show nothing.
static void test_silent(void** state) {
    (void)state;
    run r = {0};
    for (int dumb = 0; dumb < 2; dumb++) {
        start(&r, dumb ? "dumb" : "xterm", (char*[]){"apart", "info", "-", NULL});
        feed_sheet(&r, 80, dumb);
        finish(&r);
        assert_true(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 0);
        assert_int_equal(r.length, 0);
    }
}

/// An overlap is in red on a terminal, unless NO_COLOR is set and not empty, or the terminal is dumb.
static void test_colour(void** state) {
    (void)state;
    static const struct {
        const char *no_colour, *kind;
        bool colour;
    } cases[] = {{NULL, "xterm", true}, {"", "xterm", true}, {"1", "xterm", false}, {NULL, "dumb", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r = {.shown = true};
        unsetenv("NO_COLOR");
        if (cases[i].no_colour) setenv("NO_COLOR", cases[i].no_colour, 1);
        start(&r, cases[i].kind,
              (char*[]){"apart", "distance", "sphere:1", "sphere:1", "--motion-b", "to:9,0,0", NULL});
        close(r.input);
        finish(&r);
        assert_true(WIFEXITED(r.status) && WEXITSTATUS(r.status) == 0);
        assert_non_null(strstr(r.seen, "at time 0"));
        assert_int_equal(strstr(r.seen, "\033[1;31mat time 0\033[0m") != NULL, cases[i].colour);
        assert_int_equal(strchr(r.seen, '\033') != NULL, cases[i].colour);
    }
    unsetenv("NO_COLOR");
}

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    tool = argv[1];
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surface),
        cmocka_unit_test(test_hull),
        cmocka_unit_test(test_silent),
        cmocka_unit_test(test_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
