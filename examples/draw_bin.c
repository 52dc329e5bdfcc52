// Draws what a scene says about a bin of parts, as an SVG picture on standard output.
//
//     example_draw_bin > docs/pictures/bin.svg
//
// Red: the nearest points of all pairs within a clearance. Blue: a gripper that comes down, where it is when something
// comes within its margin, and what that is. Green: a part and its nearest partner.
#include "bin.h"
#include "svg.h"

#include <stdlib.h>

#define INK_PART "#6b7f8f"
#define INK_WALL "#6b5a48"
#define INK_NEAR "#b3261e"
#define INK_GRIPPER "#2f6fa8"
#define INK_CHOSEN "#2e7d4f"

#define CLEARANCE 0.1
#define MARGIN 0.1
#define CHOSEN 31u
#define FINGER_HALF 0.5
#define FINGER_RADIUS 0.18

static const view page = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, 500, 530, 62};

// ----------------------------------------------------------------------------------------------------- answers ----

#define MOST_PAIRS 400

typedef struct answers {
    apart_scene_pair near[MOST_PAIRS], nearest;
    int count;
    apart_scene_contact first;
    apart_pose gripper; // at first contact
    uint32_t id;        // of the gripper
} answers;

static bool keep_pair(const apart_scene_pair* p, void* context) {
    answers* a = context;
    a->near[a->count++] = *p;
    return a->count < MOST_PAIRS;
}

/// A capsule that stands upright: its own axis is z.
static const apart_pose gripper_start = {{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}, {0.12, 7.6, 0}};

static apart_status ask(const bin* b, apart_shape* finger, answers* a) {
    const apart_scene_body gripper = {.shape = finger, .pose = gripper_start, .margin = MARGIN};
    apart_scene_motion down = {.motion = {.kind = APART_MOTION_VELOCITY, .start = gripper_start}};
    down.motion.velocity.linear.y = -7;
    apart_status status = apart_scene_within(b->scene, CLEARANCE, NULL, 0, keep_pair, a);
    if (status == APART_OK) status = apart_scene_nearest(b->scene, CHOSEN, NULL, &a->nearest);
    if (status == APART_OK) status = apart_scene_add(b->scene, &gripper, &down.id, NULL);
    if (status == APART_OK) status = apart_scene_first_contact(b->scene, &down, 1, NULL, 0, &a->first);
    if (status == APART_OK) status = apart_motion_pose(&down.motion, a->first.contact.time, &a->gripper);
    a->id = down.id;
    return status;
}

// ----------------------------------------------------------------------------------------------------- drawing ----

static apart_vec3 placed(const apart_pose* pose, apart_vec3 p) {
    const double(*m)[3] = pose->rotation.m;
    return add(pose->translation, (apart_vec3){m[0][0] * p.x + m[0][1] * p.y, m[1][0] * p.x + m[1][1] * p.y, 0});
}

static void draw_part(const bin* b, uint32_t id, const char* style) {
    const outline* o = &kinds[b->kind[id - WALLS]];
    apart_scene_body body;
    if (apart_scene_get(b->scene, id, &body) != APART_OK) return;
    for (int i = 0; i < o->pieces; ++i) {
        apart_vec3 corner[8];
        for (int k = 0; k < o->count[i]; ++k) corner[k] = placed(&body.pose, o->corner[i][k]);
        draw_polygon(&page, corner, o->count[i], style);
    }
}

static void draw_walls(void) {
    const double x = BIN_WIDTH / 2, h = BIN_HEIGHT, t = 0.25;
    const apart_vec3 corner[8] = {{-x - t, -t, 0}, {x + t, -t, 0}, {x + t, h, 0}, {x, h, 0},
                                  {x, 0, 0},       {-x, 0, 0},     {-x, h, 0},    {-x - t, h, 0}};
    draw_polygon(&page, corner, 8, "fill=\"" INK_WALL "\" fill-opacity=\"0.85\"");
}

static void draw_gripper(const apart_pose* pose, double wider, const char* style) {
    const double r = page.scale * (FINGER_RADIUS + wider), h = page.scale * 2 * FINGER_HALF + 2 * r;
    printf("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\" %s/>\n",
           page_x(&page, pose->translation) - r, page_y(&page, pose->translation) - h / 2, 2 * r, h, r, style);
}

/// The nearest points, and a line between them that can be seen however short it is.
static void draw_near(const apart_result* r, const char* ink) {
    char style[80];
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"4\" stroke-linecap=\"round\"", ink);
    draw_line(&page, r->point_a, r->point_b, style);
}

static void draw_bin(const bin* b, const answers* a) {
    draw_walls();
    for (uint32_t i = 0; i < PARTS; ++i)
        draw_part(b, i + WALLS,
                  "fill=\"" INK_PART "\" fill-opacity=\"0.28\" stroke=\"" INK_PART "\" stroke-width=\"1\"");
    draw_part(b, CHOSEN, "fill=\"" INK_CHOSEN "\" fill-opacity=\"0.45\"");
    if (a->nearest.b >= WALLS) draw_part(b, a->nearest.b, "fill=\"" INK_CHOSEN "\" fill-opacity=\"0.2\"");
    if (a->first.a >= WALLS) draw_part(b, a->first.a, "fill=\"" INK_GRIPPER "\" fill-opacity=\"0.35\"");
    for (int i = 0; i < a->count; ++i) draw_near(&a->near[i].result, INK_NEAR);
    draw_near(&a->nearest.result, INK_CHOSEN);
}

static void draw_way(const answers* a) {
    draw_line(&page, gripper_start.translation, a->gripper.translation,
              "stroke=\"" INK_GRIPPER "\" stroke-dasharray=\"4 4\"");
    draw_gripper(&gripper_start, 0, "fill=\"" INK_GRIPPER "\" fill-opacity=\"0.2\"");
    draw_gripper(&a->gripper, MARGIN, "fill=\"none\" stroke=\"" INK_GRIPPER "\" stroke-dasharray=\"3 3\"");
    draw_gripper(&a->gripper, 0, "fill=\"" INK_GRIPPER "\" fill-opacity=\"0.8\"");
    draw_near(&a->first.contact.result, INK_GRIPPER);
}

static void draw_key(double x, const char* ink, const char* text) {
    printf("<rect x=\"%.1f\" y=\"563\" width=\"14\" height=\"14\" rx=\"3\" fill=\"%s\" fill-opacity=\"0.8\"/>\n", x,
           ink);
    draw_text(x + 21, 575, "", text);
}

static void draw_legend(const bin* b, const answers* a) {
    char text[120];
    snprintf(text, sizeof text, "%d pairs within %g", a->count, CLEARANCE);
    draw_key(55, INK_NEAR, text);
    snprintf(text, sizeof text, "%s %u and its nearest: %s %u", bin_name(b, CHOSEN), CHOSEN, bin_name(b, a->nearest.b),
             a->nearest.b);
    draw_key(215, INK_CHOSEN, text);
    snprintf(text, sizeof text, "gripper: free for %.6f, then %s %u is within its margin", 7 * a->first.contact.time,
             bin_name(b, a->first.a), a->first.a);
    draw_key(505, INK_GRIPPER, text);
}

int main(void) {
    bin b;
    static answers a;
    apart_shape* finger = apart_shape_capsule(FINGER_HALF, FINGER_RADIUS, NULL);
    apart_status status = bin_fill(&b);
    if (status == APART_OK) status = finger ? ask(&b, finger, &a) : APART_OUT_OF_MEMORY;
    if (status == APART_OK) {
        begin_page(600, "A bin of parts: pairs within a clearance, a nearest partner, a first contact");
        draw_bin(&b, &a);
        draw_way(&a);
        draw_legend(&b, &a);
        end_page();
    } else {
        fprintf(stderr, "draw_bin: %s\n", apart_status_text(status));
    }
    apart_shape_release(finger);
    bin_free(&b);
    return status == APART_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
