// Draws "reading NAME [######      ]  50%" over itself. Short work stays silent, so that nothing flickers.
#include "progress.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double patience = 0.5; // seconds until the bar appears
static const double interval = 0.1; // seconds between two drawings
enum { BAR = 40, AROUND = 8 };      // the longest bar; the characters " [" and "] 100%" around it
enum { LINE = 512 };
static const char clear_line[] = "\r\033[K";

static double now(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ----------------------------------------------------------------------------------------------------- drawing ----

// The width of the terminal, less one column, where some of them break the line.
static int columns(void) {
    struct winsize size = {0};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col - 1 : 79;
}

// How many bytes of a text to show in so many columns; a character of several bytes is not torn.
static int cut(const char* text, int room) {
    int length = (int)strlen(text);
    if (length <= room) return length;
    length = room > 0 ? room : 0;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    return length;
}

// The phase and the name, in at most so many columns. Returns the bytes.
static int label(const progress* p, int room, char text[LINE]) {
    snprintf(text, LINE, "%s %s", p->phase, show_name(p->name).text);
    return cut(text, room);
}

static void draw(progress* p, double done) {
    char text[LINE];
    const int width = columns();
    if (width <= AROUND) return;
    // The bar gets what the label leaves, but at least half of the line.
    const int length = label(p, (width - AROUND) / 2, text);
    const int left = width - AROUND - length;
    const int bar = left < BAR ? left : BAR;
    const int full = (int)(done * bar);
    char blocks[BAR + 1];
    memset(blocks, ' ', sizeof blocks);
    memset(blocks, '#', (size_t)full);
    p->visible = true;
    fprintf(stderr, "%s%.*s [%.*s] %3d%%", clear_line, length, text, bar, blocks, (int)(100 * done));
    fflush(stderr);
}

// -------------------------------------------------------------------------------------------------------- work ----

void progress_start(progress* p, const char* name) {
    const char* kind = getenv("TERM");
    *p = (progress){.name = name, .phase = "", .begun = now()};
    p->terminal = isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb") != 0;
}

void progress_phase(progress* p, const char* phase) {
    p->phase = phase;
    p->drawn = 0;
}

void progress_wait(progress* p, const char* phase, bool large) {
    progress_phase(p, phase);
    if (!p->terminal || !(large || p->visible)) return;
    char text[LINE];
    const int length = label(p, columns() - 4, text);
    p->visible = true;
    fprintf(stderr, "%s%.*s ...", clear_line, length, text);
    fflush(stderr);
}

bool progress_show(double done, void* context) {
    progress* p = context;
    if (!p->terminal) return true;
    const double time = now();
    if (time - p->begun < patience || time - p->drawn < interval) return true;
    p->drawn = time;
    draw(p, done > 0 ? (done < 1 ? done : 1) : 0);
    return true;
}

void progress_finish(progress* p) {
    if (p->visible) fputs(clear_line, stderr);
    *p = (progress){0};
}
