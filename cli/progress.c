// Draws "what [######      ]  50%" over itself. Short work stays silent, so that nothing flickers.
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
static const char clear_line[] = "\r\033[K";

static double now(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(progress* p, const char* what) {
    const char* kind = getenv("TERM");
    *p = (progress){.what = what, .begun = now()};
    p->terminal = isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb") != 0;
}

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
    length = room;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    return length;
}

static void draw(const char* what, double done) {
    const name_text name = show_name(what);
    const int width = columns();
    if (width <= AROUND) return;
    // The bar gets what the name leaves, but at least half of the line.
    const int length = cut(name.text, (width - AROUND) / 2);
    const int left = width - AROUND - length;
    const int bar = left < BAR ? left : BAR;
    const int full = (int)(done * bar);
    char blocks[BAR + 1];
    memset(blocks, ' ', sizeof blocks);
    memset(blocks, '#', (size_t)full);
    fprintf(stderr, "%s%.*s [%.*s] %3d%%", clear_line, length, name.text, bar, blocks, (int)(100 * done));
    fflush(stderr);
}

bool progress_show(double done, void* context) {
    progress* p = context;
    if (!p->terminal) return true;
    const double time = now();
    if (time - p->begun < patience || time - p->drawn < interval) return true;
    p->drawn = time;
    p->visible = true;
    draw(p->what, done > 0 ? (done < 1 ? done : 1) : 0);
    return true;
}

void progress_finish(progress* p) {
    if (p->visible) fputs(clear_line, stderr);
    *p = (progress){0};
}
