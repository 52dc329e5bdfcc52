// Prints what was found along the motions of a scene: a table of pairs and one of distances; CSV; JSON.
#include "cli.h"
#include "json.h"
#include "path.h"
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* name_of(const path* p, size_t index) { return p->scene->bodies[index].name; }

// The other body, where all pairs have one in common.
static const char* other_name(const path* p, const path_pair* pair) {
    return name_of(p, pair->a == p->common ? pair->b : pair->a);
}

pair_text show_pair(const path* p, const path_pair* pair, int columns) {
    pair_text out;
    if (p->common < p->scene->count)
        snprintf(out.text, sizeof out.text, "%s", show_short(other_name(p, pair), columns).text);
    else
        snprintf(out.text, sizeof out.text, "%s \xe2\x80\x93 %s", show_short(name_of(p, pair->a), columns).text,
                 show_short(name_of(p, pair->b), columns).text);
    return out;
}

static int by_urgency(const void* a, const void* b) {
    const path_pair* p = ((const path_entry*)a)->pair;
    const path_pair* q = ((const path_entry*)b)->pair;
    const bool free_p = p->course.first.kind == APART_FREE;
    const bool free_q = q->course.first.kind == APART_FREE;
    if (free_p != free_q) return free_p ? 1 : -1;
    const double x = free_p ? p->course.nearest.distance : p->course.first.time;
    const double y = free_q ? q->course.nearest.distance : q->course.first.time;
    if (x != y) return x < y ? -1 : 1;
    return (p > q) - (p < q); // the order of the scene
}

void path_sort(const path* p, path_entry* order) {
    for (size_t i = 0; i < p->count; i++) order[i].pair = &p->pairs[i];
    qsort(order, p->count, sizeof *order, by_urgency);
}

// ------------------------------------------------------------------------------------------------ for programs ----

// RFC 4180: quoted if need be, quotes doubled.
static void put_field(const char* text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stdout);
        return;
    }
    putchar('"');
    for (const char* c = text; *c; c++) {
        if (*c == '"') putchar('"');
        putchar(*c);
    }
    putchar('"');
}

int print_path_csv(const path* p) {
    puts("time,a,b,distance,lower_bound,upper_bound");
    for (size_t i = 0; i < p->count; i++)
        for (size_t j = 0; j <= p->steps; j++) {
            const sample* s = &p->pairs[i].samples[j];
            printf("%.17g,", s->time);
            put_field(name_of(p, p->pairs[i].a));
            putchar(',');
            put_field(name_of(p, p->pairs[i].b));
            printf(",%.17g,%.17g,%.17g\n", s->distance + 0.0, s->lower + 0.0, s->upper + 0.0);
        }
    return EXIT_SUCCESS;
}

// One of the columns of the samples: time, distance or a bound.
static json_t* json_column(const path* p, const path_pair* pair, size_t offset) {
    json_t* out = json_array();
    for (size_t i = 0; i <= p->steps; i++) {
        double x = 0;
        memcpy(&x, (const char*)&pair->samples[i] + offset, sizeof x);
        if (json_array_append_new(out, json_number(x)) == 0) continue;
        json_decref(out);
        return NULL;
    }
    return out;
}

static json_t* json_pair(const path* p, const path_pair* pair) {
    json_t* out = json_pack("{s:o, s:o}", "a", json_text(name_of(p, pair->a)), "b", json_text(name_of(p, pair->b)));
    // A NULL in any of these is a failure; everything handed over is released.
    int failed = json_object_update_new(out, json_course(&pair->course));
    failed |= json_object_set_new(out, "distance", json_column(p, pair, offsetof(sample, distance)));
    failed |= json_object_set_new(out, "lower_bound", json_column(p, pair, offsetof(sample, lower)));
    failed |= json_object_set_new(out, "upper_bound", json_column(p, pair, offsetof(sample, upper)));
    if (!failed) return out;
    json_decref(out);
    return NULL;
}

int print_path_json(const path* p) {
    json_t* pairs = json_array();
    int failed = 0;
    for (size_t i = 0; i < p->count; i++) failed |= json_array_append_new(pairs, json_pair(p, &p->pairs[i]));
    if (failed) {
        json_decref(pairs);
        pairs = NULL;
    }
    return json_print(json_pack("{s:o, s:I, s:o, s:o, s:o}", "scene", json_text(p->file), "steps", (json_int_t)p->steps,
                                "clearance", json_number(p->clearance), "time",
                                json_column(p, &p->pairs[0], offsetof(sample, time)), "pairs", pairs));
}

// -------------------------------------------------------------------------------------------------- for people ----

// A text and blanks up to a width; blanks first for what stands above numbers.
static void put_left(const char* text, int width) { printf("%s%*s", text, width - text_columns(text), ""); }
static void put_right(const char* text, int width) { printf("%*s%s", width - text_columns(text), "", text); }

typedef struct cell_text {
    char text[128];
} cell_text;

static cell_text show_first(const course* c) {
    cell_text out;
    if (c->first.kind == APART_FREE)
        snprintf(out.text, sizeof out.text, "never");
    else
        snprintf(out.text, sizeof out.text, "%.9g%s", c->first.time, c->first.kind == APART_CONTACT ? "" : " ?");
    return out;
}

// The first spans, and how many more there are.
static cell_text show_spans(const course* c) {
    cell_text out = {""};
    size_t length = 0;
    for (size_t i = 0; i < c->span_count && i < 3; i++)
        length += (size_t)snprintf(out.text + length, sizeof out.text - length, "%s%.5g to %.5g%s", i ? ", " : "",
                                   c->spans[i].begin, c->spans[i].end, c->spans[i].kind == APART_CONTACT ? "" : " ?");
    if (c->span_count > 3) snprintf(out.text + length, sizeof out.text - length, " and %zu more", c->span_count - 3);
    return out;
}

// The longest names in the table of pairs, and above the columns of the other one.
enum { NAME = 32, SHORT_NAME = 14 };

static void print_pair_row(const path* p, const path_pair* pair, int name_width) {
    const course* c = &pair->course;
    char least[32];
    put_left(show_pair(p, pair, NAME).text, name_width);
    print_styled(c->first.kind == APART_FREE ? PLAIN : ALARM, "%-15s", show_first(c).text);
    snprintf(least, sizeof least, "%.9g", c->nearest.distance);
    printf("%12s%12.6g", least, c->nearest.time);
    printf("%s%s\n", c->span_count ? "   " : "", show_spans(c).text);
}

// How wide the brackets are, at most: of least distances, and of times of contact.
static void print_certainty(const path* p) {
    double distance = 0;
    double time = 0;
    bool doubt = false, ran_out = false;
    for (size_t i = 0; i < p->count; i++) {
        const course* c = &p->pairs[i].course;
        distance = fmax(distance, c->nearest.upper_bound - c->nearest.lower_bound);
        if (c->first.kind == APART_CONTACT) time = fmax(time, c->first.time_upper - c->first.time);
        doubt = doubt || c->first.kind == APART_NEAR;
        ran_out = ran_out || c->first.kind == APART_UNDECIDED;
        for (size_t j = 0; j < c->span_count; j++) {
            doubt = doubt || c->spans[j].kind == APART_NEAR;
            ran_out = ran_out || c->spans[j].kind == APART_UNDECIDED;
        }
    }
    print_styled(FAINT, "Certain at every instant: least distances to within %.1g", distance);
    if (time > 0) print_styled(FAINT, ", first contacts to within %.1g", time);
    print_styled(FAINT, ".\n");
    if (doubt) print_styled(FAINT, "?: so near that a contact can be neither shown nor excluded; none before.\n");
    if (ran_out) print_styled(FAINT, "?: not known from then on: the steps ran out; none before.\n");
}

static void print_pairs(const path* p, const path_entry* order) {
    int width = 4;
    for (size_t i = 0; i < p->count; i++) {
        const int columns = text_columns(show_pair(p, order[i].pair, NAME).text);
        width = columns > width ? columns : width;
    }
    bool contacts = false;
    for (size_t i = 0; i < p->count; i++) contacts = contacts || p->pairs[i].course.span_count > 0;
    print_styled(FAINT, "%-*s%-15s%12s%12s%s\n", width + 2, p->common < p->scene->count ? "to" : "pair",
                 p->clearance > 0 ? "first within" : "first contact", "closest", "at time",
                 contacts ? p->clearance > 0 ? "   within" : "   in contact" : "");
    for (size_t i = 0; i < p->count; i++) print_pair_row(p, order[i].pair, width + 2);
    print_certainty(p);
}

// A distance of six digits, or its two ends where the bracket is wider than that. What is a billionth of the largest is
// touching to within rounding.
static cell_text show_distance(const sample* s, double largest) {
    cell_text out;
    const double reach = fmax(fabs(s->lower), fabs(s->upper));
    if (reach <= 1e-9 * largest)
        snprintf(out.text, sizeof out.text, "0");
    else if (s->upper - s->lower > 1e-5 * reach)
        snprintf(out.text, sizeof out.text, "%.3g..%.3g", s->lower, s->upper);
    else
        snprintf(out.text, sizeof out.text, "%.6g", s->distance + 0.0);
    return out;
}

// Times downwards, pairs from..to - 1 across.
static void print_block(const path* p, const path_entry* order, size_t from, size_t to, int width) {
    const bool common = p->common < p->scene->count;
    if (!common) {
        print_styled(FAINT, "%-8s", "");
        for (size_t i = from; i < to; i++) put_right(show_short(name_of(p, order[i].pair->a), SHORT_NAME).text, width);
        printf("\n");
    }
    print_styled(FAINT, "%-8s", "time");
    for (size_t i = from; i < to; i++)
        put_right(show_short(common ? other_name(p, order[i].pair) : name_of(p, order[i].pair->b), SHORT_NAME).text,
                  width);
    printf("\n");
    for (size_t j = 0; j <= p->steps; j++) {
        printf("%-8.6g", order[from].pair->samples[j].time);
        for (size_t i = from; i < to; i++) {
            const sample* s = &order[i].pair->samples[j];
            print_styled(s->upper <= 0 ? ALARM : PLAIN, "%*s", width, show_distance(s, order[i].pair->largest).text);
        }
        printf("\n");
    }
}

// As many pairs as fit in a line beside each other. The nearest, if there are many.
enum { LINE = 100, MOST_COLUMNS = 24 };

static int column_width(const path* p, const path_entry* order, size_t count) {
    int width = 12;
    for (size_t i = 0; i < count; i++) {
        if (text_columns(show_pair(p, order[i].pair, SHORT_NAME).text) > 10) width = SHORT_NAME + 2;
        for (size_t j = 0; j <= p->steps; j++) {
            const int columns = 2 + (int)strlen(show_distance(&order[i].pair->samples[j], order[i].pair->largest).text);
            width = columns > width ? columns : width;
        }
    }
    return width;
}

static void print_distances(const path* p, const path_entry* order) {
    const size_t count = p->count < MOST_COLUMNS ? p->count : MOST_COLUMNS;
    const int width = column_width(p, order, count);
    const size_t across = width < LINE - 8 ? (size_t)((LINE - 8) / width) : 1;
    for (size_t i = 0; i < count; i += across) {
        printf("\n");
        print_block(p, order, i, i + across < count ? i + across : count, width);
    }
    if (p->count > count) print_styled(FAINT, "\nDistances of the first %zu pairs; --csv has all.\n", count);
}

int print_path(const path* p, const path_entry* order) {
    print_styled(STRONG, "%s", show_name(p->file).text);
    printf(": %zu bodies, %zu move%s; %zu pair%s", p->scene->count, p->scene->motion_count,
           p->scene->motion_count == 1 ? "s" : "", p->count, plural(p->count));
    if (p->common < p->scene->count) printf(" with %s", show_name(name_of(p, p->common)).text);
    if (p->clearance > 0) printf(", clearance %.9g", p->clearance);
    printf("\n\n");
    print_pairs(p, order);
    print_distances(p, order);
    return EXIT_SUCCESS;
}
