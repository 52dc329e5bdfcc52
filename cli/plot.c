// Draws distances over time. Above, a curve for each pair, which joins the distances that were measured, and a band
// that holds the distance at every instant, from their brackets and the speed of the bodies; below, the spans of
// contact on a lane for each pair that has one. First contacts, spans and closest approaches are those of the queries
// on motions, which hold at every instant and not only where the curve was measured; the curve is measured there, too,
// so that it goes through all of them.
//
// Light and dark by the reader's preference. Six hues, each pair of which differs by 0.14 or more in OKLab for normal
// sight and as people without red, green or blue receptors see them, and by 3:1 from the page; the second six curves
// are dashed. Labels stand where the curves end.
#include "plot.h"
#include "print.h"

#include <math.h>
#include <string.h>

enum { HUES = 6, WIDTH = 960, LEFT = 66, TOP = 92, HEIGHT = 400, LANE = 20, LABEL = 13, SMALL = 12, LABEL_GAP = 17 };

static const char style[] =
    "<style>\n"
    ".page{fill:#fff}.ink{fill:#1c1c1a}.faint{fill:#6a6a66}.grid{stroke:#1c1c1a;stroke-opacity:.09}\n"
    ".axis{stroke:#6a6a66}.deep{fill:#1c1c1a;fill-opacity:.035}.rest{stroke:#1c1c1a;stroke-opacity:.22}\n"
    ".halo{stroke:#fff;stroke-width:3;stroke-linejoin:round;paint-order:stroke}.ring{fill:#fff}\n"
    ".h0{color:#209ad6}.h1{color:#cc1b00}.h2{color:#127a70}.h3{color:#8a00b8}.h4{color:#d68100}.h5{color:#3b325c}\n"
    "@media (prefers-color-scheme:dark){\n"
    ".page{fill:#16181d}.ink{fill:#ececea}.faint{fill:#a0a09c}.grid{stroke:#ececea;stroke-opacity:.1}\n"
    ".axis{stroke:#a0a09c}.deep{fill:#ececea;fill-opacity:.05}.rest{stroke:#ececea;stroke-opacity:.25}\n"
    ".halo{stroke:#16181d}.ring{fill:#16181d}\n"
    ".h0{color:#87b3f5}.h1{color:#e09665}.h2{color:#8cfff4}.h3{color:#d63689}.h4{color:#ffde59}.h5{color:#8359ff}\n"
    "}\n</style>\n";

typedef struct rectangle {
    double x0, y0, x1, y1;
} rectangle;

typedef struct page {
    FILE* out;
    const plot* plot;
    size_t named;                     // curves with a colour and a label
    double low, high;                 // distances at the bottom and at the top
    double step;                      // between two ticks of the distance
    double right;                     // the end of the time axis
    double lanes;                     // the middle of the first lane
    size_t lane_count;                // pairs that are in contact at some time, of those with a label
    rectangle taken[PLOT_CURVES + 1]; // by labels inside the plot
    size_t taken_count;
} page;

static double page_x(const page* g, double time) { return LEFT + time * (g->right - LEFT); }
static double page_y(const page* g, double distance) {
    return TOP + HEIGHT * ((g->high - distance) / (g->high - g->low));
}

static size_t hue(size_t curve) { return curve % HUES; }
static const char* dashes(size_t curve) { return curve < HUES ? "" : " stroke-dasharray=\"7 3\""; }

// -------------------------------------------------------------------------------------------------------- text ----

// Characters that mean something in XML are replaced, those that it does not allow become '?'.
static void put_text(const page* g, const char* text) {
    for (const char* c = text; *c; c++) switch (*c) {
        case '&':
            fputs("&amp;", g->out);
            break;
        case '<':
            fputs("&lt;", g->out);
            break;
        case '>':
            fputs("&gt;", g->out);
            break;
        default:
            fputc((unsigned char)*c < ' ' ? '?' : *c, g->out);
        }
}

// The width of a text on the page, as wide as sans-serif letters and digits go.
static double text_width(int characters, int size) { return 0.64 * size * characters; }

static void put_label(const page* g, double x, double y, const char* attributes, const char* text) {
    fprintf(g->out, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
    put_text(g, text);
    fputs("</text>\n", g->out);
}

// -------------------------------------------------------------------------------------------------------- axes ----

// 1, 2 or 5 times a power of ten, so that there are about six steps in a range.
static double nice_step(double range) {
    const double power = pow(10, floor(log10(range / 6)));
    const double part = range / 6 / power;
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

// The range of distances, from a multiple of the step to another. Zero is always in it.
static void find_range(page* g) {
    double low = 0;
    double high = g->plot->clearance;
    for (size_t i = 0; i < g->plot->count; i++)
        for (size_t j = 0; j < g->plot->curves[i].count; j++) {
            low = fmin(low, g->plot->curves[i].samples[j].lower);
            high = fmax(high, g->plot->curves[i].samples[j].upper);
        }
    if (!(high - low > 0)) high = 1;
    g->step = nice_step(high - low);
    g->low = g->step * floor(low / g->step);
    g->high = g->step * ceil(high / g->step);
    // A little room below, so that what happens at 0 is not on the edge.
    if (low == 0) g->low = -0.04 * g->high;
}

static void put_line(const page* g, double x0, double y0, double x1, double y1, const char* attributes) {
    fprintf(g->out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x0, y0, x1, y1, attributes);
}

static void draw_times(const page* g) {
    for (int i = 0; i <= 10; i++) {
        char text[16];
        const double x = page_x(g, i / 10.0);
        snprintf(text, sizeof text, "%g", i / 10.0);
        put_line(g, x, TOP, x, TOP + HEIGHT, "class=\"grid\"");
        put_label(g, x, TOP + HEIGHT + 19, "class=\"faint\" text-anchor=\"middle\" font-size=\"12\"", text);
    }
    put_label(g, g->right, TOP + HEIGHT + 36, "class=\"faint\" text-anchor=\"end\" font-size=\"12\"", "time");
}

static void draw_distances(const page* g) {
    const long first = lround(ceil(g->low / g->step));
    const long last = lround(floor(g->high / g->step * (1 + 1e-12)));
    for (long i = first; i <= last; i++) {
        char text[32];
        const double y = page_y(g, (double)i * g->step);
        // Ten digits take away what rounding adds to the multiple of a step.
        snprintf(text, sizeof text, "%.10g", (double)i * g->step);
        put_line(g, LEFT, y, g->right, y, i == 0 ? "class=\"axis\"" : "class=\"grid\"");
        put_label(g, LEFT - 9, y + 4, "class=\"faint\" text-anchor=\"end\" font-size=\"12\"", text);
    }
    put_label(g, LEFT - 9, TOP - 14, "class=\"faint\" text-anchor=\"end\" font-size=\"12\"", "distance");
}

// Below 0 they overlap: shaded, and named if there is room.
static void draw_overlap(const page* g) {
    const double y = page_y(g, 0);
    fprintf(g->out, "<rect class=\"deep\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", LEFT, y,
            g->right - LEFT, TOP + HEIGHT - y);
    if (TOP + HEIGHT - y > 30) put_label(g, LEFT + 8, TOP + HEIGHT - 9, "class=\"faint\" font-size=\"12\"", "overlap");
}

// ------------------------------------------------------------------------------------------------------ curves ----

// Ends an element with the name of its pair, which viewers show.
static void put_title(const page* g, const plot_curve* c, const char* element) {
    fputs("\"><title>", g->out);
    put_text(g, c->label);
    fprintf(g->out, "</title></%s>\n", element);
}

static void put_point(const page* g, double time, double distance) {
    fprintf(g->out, "%.1f,%.1f ", page_x(g, time), page_y(g, distance));
}

// An end of the band from a sample to the next one on the page, on either side. It rises (sign 1) or falls (sign -1)
// from both at the speed, to where the two lines meet, but not below the floor.
static void put_between(const page* g, const plot_curve* c, double t0, double d0, double t1, double d1, double sign) {
    if (!(c->speed > 0 && t0 != t1)) return;
    const double direction = t1 > t0 ? 1 : -1;
    const double meeting = (t0 + t1) / 2 + sign * direction * (d1 - d0) / (2 * c->speed);
    const double end = (d0 + d1) / 2 + sign * c->speed * fabs(t1 - t0) / 2;
    if (end >= c->floor) {
        put_point(g, fmin(fmax(meeting, fmin(t0, t1)), fmax(t0, t1)), end);
    } else {
        put_point(g, t0 + direction * (d0 - c->floor) / c->speed, c->floor);
        put_point(g, t1 - direction * (d1 - c->floor) / c->speed, c->floor);
    }
}

// The widest part of a band, on the page.
static double widest_band(const page* g, const plot_curve* c) {
    double widest = 0;
    for (size_t i = 1; i < c->count; i++) {
        const sample* s = &c->samples[i];
        const double between = c->speed * (s->time - s[-1].time);
        widest = fmax(widest, fmax(s->upper - s->lower, s[-1].upper - s[-1].lower) + between);
    }
    return page_y(g, 0) - page_y(g, widest);
}

// What certainly holds the distance at every instant: the brackets, and between them how fast it can change.
static void draw_band(const page* g, size_t index) {
    const plot_curve* c = &g->plot->curves[index];
    if (isinf(c->speed) || widest_band(g, c) < 0.5) return;
    fprintf(g->out,
            "<polygon class=\"h%zu\" clip-path=\"url(#area)\" fill=\"currentColor\" fill-opacity=\"0.22\" points=\"",
            hue(index));
    for (size_t i = 0; i < c->count; i++) {
        const sample* s = &c->samples[i];
        if (i > 0) put_between(g, c, s[-1].time, s[-1].upper, s->time, s->upper, 1);
        put_point(g, s->time, s->upper);
    }
    for (size_t i = c->count; i-- > 0;) {
        const sample* s = &c->samples[i];
        put_point(g, s->time, s->lower);
        if (i > 0) put_between(g, c, s->time, s->lower, s[-1].time, s[-1].lower, -1);
    }
    put_title(g, c, "polygon");
}

static void draw_curve(const page* g, size_t index) {
    const plot_curve* c = &g->plot->curves[index];
    if (index < g->named)
        fprintf(g->out, "<polyline class=\"h%zu\" stroke=\"currentColor\" stroke-width=\"2\"%s", hue(index),
                dashes(index));
    else
        fprintf(g->out, "<polyline class=\"rest\" stroke-width=\"1\"");
    fputs(" fill=\"none\" stroke-linejoin=\"round\" points=\"", g->out);
    for (size_t i = 0; i < c->count; i++)
        fprintf(g->out, "%s%.1f,%.1f", i ? " " : "", page_x(g, c->samples[i].time), page_y(g, c->samples[i].distance));
    put_title(g, c, "polyline");
}

// ------------------------------------------------------------------------------- labels where the curves end ----

typedef struct end_label {
    size_t curve;
    double wanted, y;
} end_label;

// From the top to the bottom, by insertion.
static void sort_ends(end_label* e, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && e[j].wanted < e[j - 1].wanted; j--) {
            const end_label above = e[j];
            e[j] = e[j - 1];
            e[j - 1] = above;
        }
}

// Moves labels until each is at least a gap below the one before, as little as possible: those that would touch form
// a group that stands about the mean of their places (pool adjacent violators). Then all are kept inside the plot.
static void spread_ends(end_label* e, size_t count) {
    double top[PLOT_CURVES];
    size_t size[PLOT_CURVES];
    size_t groups = 0;
    sort_ends(e, count);
    for (size_t i = 0; i < count; i++) {
        top[groups] = e[i].wanted - LABEL_GAP * (double)i;
        size[groups++] = 1;
        for (; groups > 1 && top[groups - 2] > top[groups - 1]; groups--) {
            const double above = (double)size[groups - 2];
            const double below = (double)size[groups - 1];
            top[groups - 2] = (above * top[groups - 2] + below * top[groups - 1]) / (above + below);
            size[groups - 2] += size[groups - 1];
        }
    }
    for (size_t i = 0, k = 0; k < groups; k++)
        for (size_t j = 0; j < size[k]; j++, i++) e[i].y = top[k] + LABEL_GAP * (double)i;
    for (size_t i = 0; i < count; i++) e[i].y = fmax(e[i].y, TOP + LABEL_GAP * (double)i);
    for (size_t i = count; i-- > 0;) e[i].y = fmin(e[i].y, TOP + HEIGHT - LABEL_GAP * (double)(count - 1 - i));
}

static void draw_ends(const page* g) {
    end_label e[PLOT_CURVES];
    for (size_t i = 0; i < g->named; i++) {
        const plot_curve* c = &g->plot->curves[i];
        e[i] = (end_label){i, page_y(g, c->samples[c->count - 1].distance), 0};
    }
    spread_ends(e, g->named);
    for (size_t i = 0; i < g->named; i++) {
        fprintf(g->out, "<g class=\"h%zu\">", hue(e[i].curve));
        if (fabs(e[i].y - e[i].wanted) > 1)
            fprintf(g->out, "<polyline points=\"%.1f,%.1f %.1f,%.1f\" fill=\"none\" stroke=\"currentColor\"/>",
                    g->right + 1, e[i].wanted, g->right + 12, e[i].y);
        put_label(g, g->right + 15, e[i].y + 4.5, "fill=\"currentColor\" font-size=\"13\" font-weight=\"600\"",
                  g->plot->curves[e[i].curve].label);
        fputs("</g>\n", g->out);
    }
}

// ------------------------------------------------------------------------------------------ closest approaches ----

// Whether the segment from (x0, y0) to (x1, y1) meets a rectangle: clipped by its four sides (Liang and Barsky).
static bool crosses(const rectangle* r, double x0, double y0, double x1, double y1) {
    const double run[4] = {x0 - x1, x1 - x0, y0 - y1, y1 - y0};
    const double room[4] = {x0 - r->x0, r->x1 - x0, y0 - r->y0, r->y1 - y0};
    double from = 0;
    double to = 1;
    for (int i = 0; i < 4; i++) {
        if (run[i] == 0 && room[i] < 0) return false;
        if (run[i] < 0) from = fmax(from, room[i] / run[i]);
        if (run[i] > 0) to = fmin(to, room[i] / run[i]);
    }
    return from <= to;
}

// How bad a place is for a label: INFINITY on another label or outside, else how many pieces of curves run through it,
// the line of distance 0 counted as some.
static double crowding(const page* g, const rectangle* r) {
    double cost = r->y0 < page_y(g, 0) && r->y1 > page_y(g, 0) ? 5 : 0;
    if (r->x0 < LEFT + 2 || r->x1 > g->right - 2 || r->y0 < TOP || r->y1 > TOP + HEIGHT) return INFINITY;
    for (size_t i = 0; i < g->taken_count; i++) {
        const rectangle* t = &g->taken[i];
        if (r->x0 < t->x1 && t->x0 < r->x1 && r->y0 < t->y1 && t->y0 < r->y1) return INFINITY;
    }
    for (size_t i = 0; i < g->named; i++) {
        const plot_curve* c = &g->plot->curves[i];
        for (size_t j = 1; j < c->count; j++)
            cost += crosses(r, page_x(g, c->samples[j - 1].time), page_y(g, c->samples[j - 1].distance),
                            page_x(g, c->samples[j].time), page_y(g, c->samples[j].distance));
    }
    return cost;
}

// A place beside (x, y) for a text of this width: the least crowded of eight, the first of equals. False: there is
// none.
static bool find_place(page* g, double x, double y, double width, rectangle* best) {
    static const double side[8] = {0, 0, 1, -1, 1, -1, 1, -1};
    static const double above[8] = {1, -1, 1, 1, -1, -1, 0, 0};
    const double height = SMALL + 3;
    double least = INFINITY;
    for (int i = 0; i < 8; i++) {
        const double middle_x = x + side[i] * (width / 2 + 8);
        const double middle_y = y - above[i] * (height / 2 + 7);
        const rectangle r = {middle_x - width / 2, middle_y - height / 2, middle_x + width / 2, middle_y + height / 2};
        const double cost = crowding(g, &r);
        if (cost >= least) continue;
        least = cost;
        *best = r;
    }
    if (isinf(least)) return false;
    g->taken[g->taken_count++] = *best;
    return true;
}

// The line of the clearance, named where fewer curves cross the name.
static void draw_clearance(page* g) {
    char text[64];
    const double y = page_y(g, g->plot->clearance);
    if (!(g->plot->clearance > 0)) return;
    put_line(g, LEFT, y, g->right, y, "class=\"axis\" stroke-dasharray=\"2 3\"");
    const int length = snprintf(text, sizeof text, "clearance %.6g", g->plot->clearance);
    const double width = text_width(length, SMALL) + 10;
    const rectangle left = {LEFT + 4, y - 18, LEFT + 4 + width, y - 3};
    const rectangle right = {g->right - 4 - width, y - 18, g->right - 4, y - 3};
    const rectangle* r = crowding(g, &left) <= crowding(g, &right) ? &left : &right;
    put_label(g, (r->x0 + r->x1) / 2, y - 5, "class=\"faint halo\" text-anchor=\"middle\" font-size=\"12\"", text);
    g->taken[g->taken_count++] = *r;
}

// A ring where a pair that never meets comes nearest, and how near.
static void draw_approach(page* g, size_t index) {
    const plot_curve* c = &g->plot->curves[index];
    const double x = page_x(g, c->course->nearest.time);
    const double y = page_y(g, c->course->nearest.distance);
    char text[32];
    rectangle r;
    if (!(c->course->nearest.lower_bound > 0)) return;
    fprintf(g->out,
            "<circle class=\"h%zu ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" stroke=\"currentColor\" "
            "stroke-width=\"2\"/>\n",
            hue(index), x, y);
    // At an end of the time there is nothing to point out.
    if (!(c->course->nearest.time > 0 && c->course->nearest.time < 1)) return;
    snprintf(text, sizeof text, "%.4g", c->course->nearest.distance);
    if (!find_place(g, x, y, text_width((int)strlen(text), SMALL), &r)) return;
    put_label(g, (r.x0 + r.x1) / 2, r.y1 - 3.5, "class=\"ink halo\" text-anchor=\"middle\" font-size=\"12\"", text);
}

// -------------------------------------------------------------------------------------------- spans of contact ----

static void draw_span(const page* g, size_t index, const apart_span* s, double y) {
    const double x = page_x(g, s->begin);
    const double width = fmax(page_x(g, s->end) - x, 2);
    const bool certain = s->kind == APART_CONTACT;
    fprintf(g->out,
            "<rect class=\"h%zu\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"10\" rx=\"2\" fill=\"currentColor\"%s"
            "><title>%s from %.9g to %.9g</title></rect>\n",
            hue(index), x, y - 5, width,
            certain ? "" : " fill-opacity=\"0.25\" stroke=\"currentColor\" stroke-dasharray=\"2 2\"",
            contact_name(s->kind), s->begin, s->end);
}

// The time of the first contact: before the first span, else behind it, or behind the last one where there is no room.
static void draw_first_time(const page* g, const course* c, double y) {
    char text[48];
    const int length = snprintf(text, sizeof text, c->first.kind == APART_CONTACT ? "%.9g" : "%.9g ?", c->first.time);
    const double width = text_width(length, SMALL) + 16;
    if (page_x(g, c->first.time) - width > LEFT) {
        put_label(g, page_x(g, c->first.time) - 6, y + 4, "class=\"ink halo\" text-anchor=\"end\" font-size=\"12\"",
                  text);
        return;
    }
    const bool room = c->span_count == 1 || page_x(g, c->spans[0].end) + width < page_x(g, c->spans[1].begin);
    const double end = c->spans[room ? 0 : c->span_count - 1].end;
    put_label(g, fmin(page_x(g, end) + 8, g->right - width), y + 4, "class=\"ink halo\" font-size=\"12\"", text);
}

// A dot where the first contact is, its lane below, and a thin line from one to the other.
static void draw_contact(const page* g, size_t index, size_t lane) {
    const plot_curve* c = &g->plot->curves[index];
    const double y = g->lanes + LANE * (double)lane;
    const double x = page_x(g, c->course->first.time);
    fprintf(g->out, "<g class=\"h%zu\"><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" ", hue(index), x,
            page_y(g, c->course->clearance), x, y);
    fprintf(g->out,
            "stroke=\"currentColor\" stroke-opacity=\"0.55\" stroke-dasharray=\"1 3\"/>"
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"currentColor\"/></g>\n",
            x, page_y(g, c->course->clearance));
    for (size_t i = 0; i < c->course->span_count; i++) draw_span(g, index, &c->course->spans[i], y);
    draw_first_time(g, c->course, y);
    fprintf(g->out, "<g class=\"h%zu\">", hue(index));
    put_label(g, g->right + 15, y + 4.5, "fill=\"currentColor\" font-size=\"13\" font-weight=\"600\"", c->label);
    fputs("</g>\n", g->out);
}

static void draw_contacts(const page* g) {
    size_t lane = 0;
    if (g->lane_count == 0) return;
    put_label(g, LEFT, g->lanes - 17, "class=\"faint\" font-size=\"12\"",
              g->plot->clearance > 0 ? "within the clearance" : "in contact");
    for (size_t i = 0; i < g->lane_count; i++)
        put_line(g, LEFT, g->lanes + LANE * (double)i, g->right, g->lanes + LANE * (double)i, "class=\"grid\"");
    for (size_t i = 0; i < g->named; i++)
        if (g->plot->curves[i].course->first.kind != APART_FREE) draw_contact(g, i, lane++);
}

// ------------------------------------------------------------------------------------------------------ legend ----

static size_t grey_contacts(const page* g) {
    size_t count = 0;
    for (size_t i = g->named; i < g->plot->count; i++) count += g->plot->curves[i].course->first.kind != APART_FREE;
    return count;
}

static void draw_legend(const page* g, double y) {
    const plot* p = g->plot;
    char text[200];
    int length = snprintf(text, sizeof text, "Curves join distances at %zu equal steps.", p->steps);
    const size_t contacts = grey_contacts(g);
    if (p->count > g->named)
        length += snprintf(text + length, sizeof text - (size_t)length, " Grey: %zu more pair%s", p->count - g->named,
                           plural(p->count - g->named));
    if (p->pairs > p->count)
        length += snprintf(text + length, sizeof text - (size_t)length, " of %zu", p->pairs - g->named);
    if (contacts > 0)
        length += snprintf(text + length, sizeof text - (size_t)length, ", %zu of them in contact", contacts);
    if (p->count > g->named) snprintf(text + length, sizeof text - (size_t)length, ".");
    put_label(g, LEFT, y, "class=\"faint\" font-size=\"12\"", text);
    put_label(g, LEFT, y + 17, "class=\"faint\" font-size=\"12\"",
              "Bands certainly hold the distance at every instant. First contacts (dots), spans (bars) and closest "
              "approaches (rings) are certain, too.");
}

static void find_layout(page* g) {
    int longest = 4;
    find_range(g);
    for (size_t i = 0; i < g->named; i++) {
        const int length = text_columns(g->plot->curves[i].label);
        longest = length > longest ? length : longest;
        g->lane_count += g->plot->curves[i].course->first.kind != APART_FREE;
    }
    g->right = WIDTH - 15 - 12 - text_width(longest, LABEL);
    g->lanes = TOP + HEIGHT + 68;
}

void plot_write(FILE* out, const plot* p) {
    page g = {.out = out, .plot = p, .named = p->count < PLOT_CURVES ? p->count : PLOT_CURVES};
    find_layout(&g);
    const double legend = g.lane_count ? g.lanes + LANE * (double)g.lane_count + 16 : TOP + HEIGHT + 62;
    const double bottom = legend + 34;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" "
            "font-family=\"Helvetica, Arial, sans-serif\">\n<title>",
            WIDTH, bottom, WIDTH, bottom);
    put_text(&g, p->title);
    fprintf(out,
            "</title>\n%s<clipPath id=\"area\"><rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/></clipPath>\n",
            style, LEFT, TOP, g.right - LEFT, HEIGHT);
    fprintf(out, "<rect class=\"page\" width=\"%d\" height=\"%.0f\"/>\n", WIDTH, bottom);
    put_label(&g, LEFT, 40, "class=\"ink\" font-size=\"18\" font-weight=\"600\"", p->title);
    draw_overlap(&g);
    draw_times(&g);
    draw_distances(&g);
    for (size_t i = p->count; i-- > g.named;) draw_curve(&g, i);
    for (size_t i = g.named; i-- > 0;) draw_band(&g, i);
    for (size_t i = g.named; i-- > 0;) draw_curve(&g, i);
    draw_clearance(&g);
    draw_contacts(&g);
    for (size_t i = 0; i < g.named; i++) draw_approach(&g, i);
    draw_ends(&g);
    draw_legend(&g, legend);
    fputs("</svg>\n", out);
}
