// Draws what is certain about a motion, as an SVG picture on standard output.
//
//     example_draw_motion > docs/pictures/motion.svg
//
// A bar is thrown over four posts, below a lamp. Above: the bar at many instants, those in contact with a post in red,
// and where it comes nearest to the lamp. Below: the distances over time, for the eye; the times and lengths that are
// marked are the answers of the three queries on motions, which hold at every instant and not only where the curve was
// measured.
#include "svg.h"

#include <stdlib.h>

#define INK_BAR "#2f6fa8"
#define INK_POST "#6b5a48"
#define INK_LAMP "#b8741a"
#define INK_ANSWER "#b3261e"
#define INK_QUIET "#8a8a86"

// The bar's half length and half thickness, and the lamp.
#define LENGTH 0.85
#define THICK 0.075
#define LAMP_RADIUS 0.3
static const apart_vec3 lamp_place = {5.09, 4.05, 0};

// The posts: where they stand, and how high. The view is along z, in which all is as deep.
#define POSTS 4
#define POST_WIDTH 0.13
#define DEEP 0.3
static const double post_x[POSTS] = {2.3, 4.0, 5.7, 7.9}, post_height[POSTS] = {1.5, 2.85, 1.55, 2.05};

#define GHOSTS 61
#define SAMPLES 600
#define MOST_SPANS 8

// ------------------------------------------------------------------------------------------------------- motion ----

// A throw: constant speed to the right, gravity, constant spin. FUNCTION takes any motion with a bound of its speed.
#define ACROSS 9.0
#define UPWARDS 5.6
#define GRAVITY 12.4
#define SPIN (-2.6 * 3.14159265358979)

static apart_status throw_bar(double time, void* context, apart_pose* pose) {
    (void)context;
    const double half = SPIN * time / 2 + 0.45;
    const apart_vec3 place = {0.5 + ACROSS * time, 1.9 + UPWARDS * time - GRAVITY / 2 * time * time, 0};
    *pose = apart_pose_from_quaternion(cos(half), 0, 0, sin(half), place);
    return APART_OK;
}

static apart_motion bar_motion(void) {
    // The speed is largest at one of the ends.
    const double down = fmax(UPWARDS, GRAVITY - UPWARDS);
    return (apart_motion){.kind = APART_MOTION_FUNCTION,
                          .function = throw_bar,
                          .speed = 1.001 * sqrt(ACROSS * ACROSS + down * down),
                          .spin = 1.001 * fabs(SPIN)};
}

// ------------------------------------------------------------------------------------------------------ answers ----

typedef struct scene {
    apart_shape *bar, *posts, *lamp;
} scene;

typedef struct answers {
    apart_contact first;
    apart_approach nearest;
    apart_span span[MOST_SPANS];
    size_t spans;
    double to_posts[SAMPLES + 1], to_lamp[SAMPLES + 1]; // at equal times, for the curves
} answers;

static apart_pose at(apart_vec3 place) { return (apart_pose){apart_pose_identity.rotation, place}; }

/// The posts are one body, a union.
static apart_shape* make_posts(void) {
    apart_part part[POSTS];
    apart_shape* shape = NULL;
    bool good = true;
    for (int i = 0; i < POSTS; ++i) {
        const double half = post_height[i] / 2;
        part[i].shape = apart_shape_box((apart_vec3){POST_WIDTH, half, DEEP}, 0, NULL);
        part[i].pose = at((apart_vec3){post_x[i], half, 0});
        good = good && part[i].shape;
    }
    if (good) shape = apart_shape_union(part, POSTS, NULL);
    for (int i = 0; i < POSTS; ++i) apart_shape_release(part[i].shape);
    return shape;
}

static apart_status ask(const scene* s, answers* a) {
    const apart_motion thrown = bar_motion(), stays = {.start = apart_pose_identity}, hangs = {.start = at(lamp_place)};
    apart_status status = apart_first_contact(s->bar, &thrown, s->posts, &stays, NULL, &a->first);
    if (status == APART_OK) status = apart_closest_approach(s->bar, &thrown, s->lamp, &hangs, NULL, &a->nearest);
    if (status == APART_OK)
        status = apart_contact_spans(s->bar, &thrown, s->posts, &stays, NULL, a->span, MOST_SPANS, &a->spans);
    if (a->spans > MOST_SPANS) a->spans = MOST_SPANS;
    for (int i = 0; i <= SAMPLES && status == APART_OK; ++i) {
        apart_pose pose;
        apart_result r;
        throw_bar((double)i / SAMPLES, NULL, &pose);
        status = apart_distance(s->bar, &pose, s->posts, &stays.start, NULL, NULL, &r);
        a->to_posts[i] = r.distance;
        if (status == APART_OK) status = apart_distance(s->bar, &pose, s->lamp, &hangs.start, NULL, NULL, &r);
        a->to_lamp[i] = r.distance;
    }
    return status;
}

static bool in_contact(const answers* a, double time) {
    for (size_t i = 0; i < a->spans; ++i)
        if (time >= a->span[i].begin && time <= a->span[i].end) return true;
    return false;
}

// -------------------------------------------------------------------------------------------------- upper panel ----

static const view world = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 50, 412, 90};

static apart_vec3 bar_point(double time, double x, double y) {
    apart_pose p;
    throw_bar(time, NULL, &p);
    double(*m)[3] = p.rotation.m;
    return add(p.translation, (apart_vec3){m[0][0] * x + m[0][1] * y, m[1][0] * x + m[1][1] * y, 0});
}

static void draw_bar(double time, const char* style) {
    const apart_vec3 corner[4] = {bar_point(time, -LENGTH, -THICK), bar_point(time, LENGTH, -THICK),
                                  bar_point(time, LENGTH, THICK), bar_point(time, -LENGTH, THICK)};
    draw_polygon(&world, corner, 4, style);
}

/// The way of a point of the bar.
static void draw_way(double x, const char* style) {
    printf("<polyline fill=\"none\" %s points=\"", style);
    for (int i = 0; i <= 200; ++i) {
        const apart_vec3 p = bar_point(i / 200.0, x, 0);
        printf("%s%.1f,%.1f", i ? " " : "", page_x(&world, p), page_y(&world, p));
    }
    printf("\"/>\n");
}

static void draw_posts(void) {
    for (int i = 0; i < POSTS; ++i) {
        const double x = post_x[i], w = POST_WIDTH, h = post_height[i];
        const apart_vec3 corner[4] = {{x - w, 0, 0}, {x + w, 0, 0}, {x + w, h, 0}, {x - w, h, 0}};
        draw_polygon(&world, corner, 4, "fill=\"" INK_POST "\" fill-opacity=\"0.85\"");
    }
    const apart_vec3 left = {-0.3, 0, 0}, right = {10.3, 0, 0};
    draw_line(&world, left, right, "stroke=\"" INK_POST "\" stroke-width=\"2\"");
}

static void draw_lamp(void) {
    const apart_vec3 top = {lamp_place.x, 4.5, 0}, hook = {lamp_place.x, lamp_place.y + LAMP_RADIUS, 0};
    draw_line(&world, top, hook, "stroke=\"" INK_LAMP "\" stroke-width=\"1.5\"");
    draw_circle(&world, lamp_place, LAMP_RADIUS * world.scale, "fill=\"" INK_LAMP "\" fill-opacity=\"0.85\"");
}

static void draw_throw(const answers* a) {
    draw_way(LENGTH, "stroke=\"" INK_BAR "\" stroke-width=\"0.8\" stroke-opacity=\"0.35\"");
    draw_way(-LENGTH, "stroke=\"" INK_BAR "\" stroke-width=\"0.8\" stroke-opacity=\"0.35\"");
    draw_posts();
    draw_lamp();
    for (int i = 0; i < GHOSTS; ++i) {
        const double time = (double)i / (GHOSTS - 1);
        const bool strong = i % 6 == 0;
        if (in_contact(a, time))
            draw_bar(time, "fill=\"" INK_ANSWER "\" fill-opacity=\"0.16\"");
        else
            draw_bar(time, strong ? "fill=\"" INK_BAR "\" fill-opacity=\"0.30\" stroke=\"" INK_BAR
                                    "\" stroke-width=\"1\" stroke-opacity=\"0.7\""
                                  : "fill=\"" INK_BAR "\" fill-opacity=\"0.09\"");
    }
    draw_bar(a->first.time, "fill=\"none\" stroke=\"" INK_ANSWER "\" stroke-width=\"2\"");
    draw_circle(&world, a->first.result.point_b, 5, "fill=\"" INK_ANSWER "\"");
    draw_bar(a->nearest.time, "fill=\"none\" stroke=\"" INK_LAMP "\" stroke-width=\"2\"");
    draw_line(&world, a->nearest.result.point_a, a->nearest.result.point_b,
              "stroke=\"" INK_LAMP "\" stroke-width=\"2.5\"");
}

// -------------------------------------------------------------------------------------------------- lower panel ----

// Time to the right, distance upwards.
#define MOST 1.5
static const view plot = {{0.9, 0, 0}, {0, 0.11, 0}, {0, 0, 1}, 62, 620, 1000};

static apart_vec3 mark(double time, double distance) { return (apart_vec3){time, fmin(distance, MOST), 0}; }

static void draw_curve(const double* distance, const char* style) {
    bool open = false;
    for (int i = 0; i <= SAMPLES; ++i) {
        const bool shown = distance[i] <= MOST;
        if (shown && !open) printf("<polyline fill=\"none\" %s points=\"", style);
        if (!shown && open) printf("\"/>\n");
        if (shown) {
            const apart_vec3 p = mark((double)i / SAMPLES, distance[i]);
            printf("%s%.1f,%.1f", open ? " " : "", page_x(&plot, p), page_y(&plot, p));
        }
        open = shown;
    }
    if (open) printf("\"/>\n");
}

static void draw_axes(void) {
    for (int i = 0; i <= 10; ++i) {
        char text[16];
        const double time = i / 10.0;
        draw_line(&plot, mark(time, 0), mark(time, MOST), "stroke=\"" INK_QUIET "\" stroke-opacity=\"0.18\"");
        snprintf(text, sizeof text, "%.1f", time);
        draw_text(page_x(&plot, mark(time, 0)), plot.y + 20,
                  "text-anchor=\"middle\" font-size=\"12\" fill=\"" INK_QUIET "\"", text);
    }
    for (int i = 0; i <= 3; ++i) {
        char text[16];
        snprintf(text, sizeof text, "%.1f", i / 2.0);
        draw_text(plot.x - 10, page_y(&plot, mark(0, i / 2.0)) + 4,
                  "text-anchor=\"end\" font-size=\"12\" fill=\"" INK_QUIET "\"", text);
    }
    draw_text(page_x(&plot, mark(1, 0)), plot.y + 38, "text-anchor=\"end\" font-size=\"12\" fill=\"" INK_QUIET "\"",
              "time");
    draw_line(&plot, mark(0, 0), mark(1, 0), "stroke=\"" INK_QUIET "\"");
}

static void draw_span(const apart_span* s) {
    const apart_vec3 corner[4] = {mark(s->begin, 0), mark(s->end, 0), mark(s->end, MOST), mark(s->begin, MOST)};
    draw_polygon(&plot, corner, 4, "fill=\"" INK_ANSWER "\" fill-opacity=\"0.14\"");
}

static void draw_plot(const answers* a) {
    for (size_t i = 0; i < a->spans; ++i) draw_span(&a->span[i]);
    draw_axes();
    draw_curve(a->to_posts, "stroke=\"" INK_POST "\" stroke-width=\"2\"");
    draw_curve(a->to_lamp, "stroke=\"" INK_LAMP "\" stroke-width=\"2\"");
    draw_line(&plot, mark(0, a->nearest.lower_bound), mark(1, a->nearest.lower_bound),
              "stroke=\"" INK_LAMP "\" stroke-dasharray=\"5 4\"");
    draw_line(&plot, mark(a->first.time, 0), mark(a->first.time, MOST),
              "stroke=\"" INK_ANSWER "\" stroke-width=\"1.5\"");
    draw_circle(&plot, mark(a->first.time, 0), 5, "fill=\"" INK_ANSWER "\"");
    draw_circle(&plot, mark(a->nearest.time, a->nearest.distance), 5, "fill=\"" INK_LAMP "\"");
    draw_text(page_x(&plot, mark(0.015, 0)), page_y(&plot, mark(0, 0.6)), "fill=\"" INK_POST "\"",
              "distance to the posts");
    draw_text(page_x(&plot, mark(0.70, 0)), page_y(&plot, mark(0, 1.28)), "fill=\"" INK_LAMP "\"",
              "distance to the lamp");
}

// ------------------------------------------------------------------------------------------------------- legend ----

#define LEGEND 686

static void draw_legend(const answers* a) {
    char text[160];
    int length = 0;
    draw_circle(&(view){.x = 40, .y = LEGEND - 5}, (apart_vec3){0, 0, 0}, 5, "fill=\"" INK_ANSWER "\"");
    snprintf(text, sizeof text, "first contact at %.9f, certainly free before", a->first.time);
    draw_text(54, LEGEND, "", text);
    printf("<rect x=\"31\" y=\"%d\" width=\"18\" height=\"12\" fill=\"" INK_ANSWER "\" fill-opacity=\"0.2\"/>\n",
           LEGEND + 13);
    for (size_t i = 0; i < a->spans && length < 100; ++i)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%.6f to %.6f", i ? ", " : "in contact from ",
                           a->span[i].begin, a->span[i].end);
    draw_text(54, LEGEND + 24, "", text);
    draw_circle(&(view){.x = 540, .y = LEGEND - 5}, (apart_vec3){0, 0, 0}, 5, "fill=\"" INK_LAMP "\"");
    snprintf(text, sizeof text, "closest to the lamp at %.3f", a->nearest.time);
    draw_text(554, LEGEND, "", text);
    printf("<line x1=\"529\" y1=\"%d\" x2=\"549\" y2=\"%d\" stroke=\"" INK_LAMP "\" stroke-dasharray=\"5 4\"/>\n",
           LEGEND + 19, LEGEND + 19);
    snprintf(text, sizeof text, "never nearer than %.9f, certain to within %.0e", a->nearest.lower_bound,
             a->nearest.upper_bound - a->nearest.lower_bound);
    draw_text(554, LEGEND + 24, "", text);
}

static void draw_page(const answers* a) {
    begin_page(730, "A thrown bar: first contact, spans of contact and closest approach, all certain");
    draw_throw(a);
    draw_plot(a);
    draw_legend(a);
    end_page();
}

int main(void) {
    scene s = {apart_shape_box((apart_vec3){LENGTH, THICK, DEEP / 2}, 0, NULL), make_posts(),
               apart_shape_sphere(LAMP_RADIUS, NULL)};
    static answers a;
    apart_status status = s.bar && s.posts && s.lamp ? ask(&s, &a) : APART_OUT_OF_MEMORY;
    if (status == APART_OK)
        draw_page(&a);
    else
        fprintf(stderr, "draw_motion: %s\n", apart_status_text(status));
    apart_shape_release(s.bar);
    apart_shape_release(s.posts);
    apart_shape_release(s.lamp);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
