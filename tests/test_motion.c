// First contact, closest approach and spans of contact where the truth is known: by a formula, or because others are
// known to fail there.
#include "bodies.h"
#include "mesh_models.h"
#include "motion_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;
static const char* const kind_name[4] = {"free", "contact", "near", "undecided"};
static const apart_motion_query plain;
static motion_tally tally;

static apart_vec3 at(double x, double y, double z) { return (apart_vec3){x, y, z}; }
static apart_shape* box_of(double x, double y, double z) { return apart_shape_box(at(x, y, z), 0, NULL); }

static apart_motion still(apart_vec3 place) {
    apart_motion m = {.kind = APART_MOTION_STILL, .start = apart_pose_identity};
    m.start.translation = place;
    return m;
}
static apart_motion going(apart_vec3 place, apart_vec3 velocity, apart_vec3 spin) {
    apart_motion m = still(place);
    m.kind = APART_MOTION_VELOCITY;
    m.velocity = (apart_twist){velocity, spin};
    return m;
}
static apart_motion turning(double spin) { return going(at(0, 0, 0), at(0, 0, 0), at(0, 0, spin)); }

// ------------------------------------------------------------------------------------------------------ answers ----

static void print_answer(const char* name, const motion_answer* x) {
    printf("%-28s %-9s [%.15g, %.3g more], %d steps; approach [%.9g, %.3g more] at %.6g, %d steps; %zu spans", name,
           kind_name[x->contact.kind], x->contact.time, x->contact.time_upper - x->contact.time, x->contact.steps,
           x->approach.lower_bound, x->approach.upper_bound - x->approach.lower_bound, x->approach.time,
           x->approach.steps, x->spans);
    for (size_t i = 0; i < x->spans && i < 3; i++)
        printf(" %s [%.9g, %.9g]", kind_name[x->span[i].kind], x->span[i].begin, x->span[i].end);
    printf("\n");
}

// Asks, and checks what must be true of any answer. The bodies are ours to release.
static motion_answer ask(const char* name, encounter_case c) {
    motion_answer x;
    const char* wrong = motion_ask_and_check(&c, 500, &x, &tally);
    print_answer(name, &x);
    if (wrong) fail_msg("%s: %s", name, wrong);
    return x;
}

static bool brackets_meet(const apart_contact* a, const apart_contact* b) {
    return a->time <= b->time_upper && b->time <= a->time_upper;
}

// The same with the bodies exchanged: the same kind at the same time.
static motion_answer ask_both_ways(const char* name, encounter_case c) {
    const motion_answer x = ask(name, c), y = ask("  exchanged", case_exchanged(&c));
    assert_int_equal(x.contact.kind, y.contact.kind);
    assert_true(brackets_meet(&x.contact, &y.contact));
    assert_int_equal(x.spans, y.spans);
    assert_true(x.approach.lower_bound <= y.approach.upper_bound && y.approach.lower_bound <= x.approach.upper_bound);
    return x;
}

// And with time reversed: what ended last begins first. For a contact that is plain at both ends.
static motion_answer ask_all_ways(const char* name, encounter_case c) {
    const motion_answer x = ask_both_ways(name, c), y = ask("  reversed", case_reversed(&c, NULL));
    assert_int_equal(x.contact.kind, y.contact.kind);
    assert_int_equal(x.spans, y.spans);
    for (size_t i = 0; i < x.spans && i < MOST_SPANS; i++) {
        const apart_span *s = &x.span[i], *t = &y.span[x.spans - 1 - i];
        assert_int_equal(s->kind, t->kind);
        assert_true(fabs(s->begin - (1 - t->end)) < 4e-12 && fabs(s->end - (1 - t->begin)) < 4e-12);
    }
    assert_true(x.approach.lower_bound <= y.approach.upper_bound && y.approach.lower_bound <= x.approach.upper_bound);
    return x;
}

static void expect_contact_at(const motion_answer* x, double time) {
    assert_int_equal(x->contact.kind, APART_CONTACT);
    // The time itself is rounded.
    assert_true(x->contact.time <= time + 1e-14 && time <= x->contact.time_upper + 1e-14);
    assert_true(x->contact.time_upper - x->contact.time <= 1.0001e-12);
}

static void expect_free(const motion_answer* x, double distance) {
    assert_int_equal(x->contact.kind, APART_FREE);
    assert_true(x->approach.lower_bound <= distance * (1 + 1e-13));
    assert_true(distance * (1 - 1e-13) <= x->approach.upper_bound);
}

static void expect_span(const motion_answer* x, size_t i, double begin, double end) {
    assert_true(i < x->spans);
    assert_int_equal(x->span[i].kind, APART_CONTACT);
    assert_true(fabs(x->span[i].begin - begin) < 1e-11 && fabs(x->span[i].end - end) < 1e-11);
}

// ---------------------------------------------------------------------------------------------- a rod and a post ----

// A rod of half sizes 2, 0.05, 0.05 turns about its middle; the corner of a post of half size 0.1 at (0, 1.5) first
// touches its face where -0.1 sin + 1.4 cos = 0.05, and the pass ends as it began, mirrored.
static double rod_angle(void) { return acos(0.05 / sqrt(1.4 * 1.4 + 0.1 * 0.1)) - atan(0.1 / 1.4); }

static void check_rod(double turn, double size, apart_vec3 place) {
    apart_shape *rod = box_of(2 * size, 0.05 * size, 0.05 * size), *post = box_of(0.1 * size, 0.1 * size, 0.1 * size);
    encounter_case c = {rod, post, turning(turn), still(at(place.x, place.y + 1.5 * size, place.z)), plain};
    c.motion_a.start.translation = place;
    char name[64];
    snprintf(name, sizeof name, "rod turns %g, size %g", turn, size);
    const double first = rod_angle();
    size_t passes = 0;
    while (first + (double)passes * pi < turn) passes++;
    const motion_answer x = ask_all_ways(name, c);
    assert_int_equal(x.spans, passes);
    if (passes == 0) {
        assert_int_equal(x.contact.kind, APART_FREE);
    } else if (place.x == 0) {
        expect_contact_at(&x, first / turn);
        for (size_t i = 0; i < passes; i++)
            expect_span(&x, i, ((double)i * pi + first) / turn, (((double)i + 1) * pi - first) / turn);
    } else { // the rod's place is rounded
        assert_true(fabs(x.contact.time - first / turn) < 1e-9);
    }
    apart_shape_release(rod);
    apart_shape_release(post);
}

static void test_rod_past_post(void** state) {
    (void)state;
    const double turns[] = {1.4, 2.5, 3.0, 3.1, 6.0, 100};
    for (int i = 0; i < 6; i++) check_rod(turns[i], 1, at(0, 0, 0));
    const double sizes[] = {1e-100, 1e100, 1e-6, 1e6};
    for (int i = 0; i < 4; i++) check_rod(6, sizes[i], at(0, 0, 0));
    check_rod(6, 1, at(1e6, -1e6, 1e6));
}

// The tips of the rod pass the post at a distance of `gap`.
static void test_grazing(void** state) {
    (void)state;
    apart_shape *rod = box_of(2, 0.05, 0.05), *post = box_of(0.1, 0.1, 0.1);
    const double tip = sqrt(4 + 0.05 * 0.05), gaps[] = {0, 1e-6, -1e-6, 1e-12, -1e-12, 1e-3, -1e-3};
    for (int i = 0; i < 7; i++) {
        encounter_case c = {rod, post, turning(3.1), still(at(0, tip + 0.1 + gaps[i], 0)), plain};
        const motion_answer x = ask_both_ways("rod grazes", c);
        // Never UNDECIDED, and the wrong side is never taken: what is nearer than the rounding may be NEAR.
        if (gaps[i] > 0) expect_free(&x, gaps[i] + 0.0);
        if (gaps[i] < 0) {
            // Both edges of the tip pass; its face between them is 6e-4 farther in.
            assert_int_equal(x.contact.kind, APART_CONTACT);
            assert_int_equal(x.spans, gaps[i] > -6e-4 ? 2 : 1);
        }
        if (gaps[i] == 0) assert_int_equal(x.contact.kind, APART_NEAR);
        assert_true(x.contact.steps < 200);
    }
    apart_shape_release(rod);
    apart_shape_release(post);
}

// ------------------------------------------------------------------------------------------------ straight ways ----

static void test_ends_of_time(void** state) {
    (void)state;
    apart_shape* unit = box_of(1, 1, 1);
    const apart_vec3 zero = {0, 0, 0};
    encounter_case c = {unit, unit, going(zero, at(2, 0, 0), zero), still(at(4, 0, 0)), plain};
    motion_answer x = ask_both_ways("contact at 1", c);
    expect_contact_at(&x, 1);
    assert_true(x.contact.time_upper == 1);
    c = (encounter_case){unit, unit, going(zero, at(-2, 0, 0), zero), still(at(2, 0, 0)), plain};
    x = ask_both_ways("contact at 0", c);
    expect_contact_at(&x, 0);
    assert_true(x.contact.time_upper == 0);
    c = (encounter_case){unit, unit, going(zero, at(-3, 0, 0), zero), still(at(1.5, 0, 0)), plain};
    x = ask_all_ways("begun in contact", c);
    assert_int_equal(x.contact.kind, APART_CONTACT);
    assert_true(x.contact.time == 0 && x.contact.time_upper == 0);
    expect_span(&x, 0, 0, 1.0 / 6);
    c = (encounter_case){unit, unit, still(zero), still(at(4, 0, 0)), plain};
    x = ask_all_ways("no motion, apart", c);
    expect_free(&x, 2);
    assert_true(x.contact.clearance == 2 || x.contact.clearance > 2 - 1e-12);
    c.motion_a = (apart_motion){.kind = APART_MOTION_SLERP, .start = apart_pose_identity, .end = apart_pose_identity};
    x = ask_all_ways("way of length 0", c);
    expect_free(&x, 2);
    c.motion_b = still(at(1, 0, 0));
    x = ask_all_ways("no motion, in contact", c);
    expect_span(&x, 0, 0, 1);
    assert_true(x.approach.upper_bound == 0);
    apart_shape_release(unit);
}

static void test_alike(void** state) {
    (void)state;
    apart_shape* unit = box_of(1, 1, 1);
    encounter_case c = {unit, unit, going(at(0, 0, 0), at(5, 1, 0), at(0, 0, 0)),
                        going(at(3, 0, 0), at(5, 1, 0), at(0, 0, 0)), plain};
    motion_answer x = ask_all_ways("both go alike", c);
    expect_free(&x, 1);
    assert_int_equal(x.contact.steps, 1);
    // As one body about a's middle.
    c.motion_a = turning(7);
    c.motion_b = going(at(3, 0, 0), at(0, 0, 0), at(0, 0, 7));
    c.motion_b.pivot = at(-3, 0, 0);
    x = ask_all_ways("both turn alike", c);
    expect_free(&x, 1);
    assert_int_equal(x.contact.steps, 1);
    apart_shape_release(unit);
}

// A way of 2e4 through a plate of 1e-6.
static void test_bullet(void** state) {
    (void)state;
    apart_shape *bullet = box_of(0.01, 0.01, 0.01), *plate = box_of(5e-7, 1, 1);
    const double way = 2e4, begin = (1e4 - 0.01 - 5e-7) / way, end = (1e4 + 0.01 + 5e-7) / way;
    encounter_case c = {bullet, plate, going(at(-1e4, 0, 0), at(way, 0, 0), at(0, 0, 0)), still(at(0, 0, 0)), plain};
    motion_answer x = ask_all_ways("bullet", c);
    expect_contact_at(&x, begin);
    expect_span(&x, 0, begin, end);
    c.motion_a.velocity.angular = at(3, 0, 5);
    x = ask_both_ways("bullet, spinning", c);
    assert_true(x.contact.kind == APART_CONTACT && x.contact.time < begin && x.contact.time > begin - 1e-6);
    c.motion_a = going(at(-1e4 + 1e6, 1e6, -1e6), at(way, 0, 0), at(0, 0, 0));
    c.motion_b = still(at(1e6, 1e6, -1e6));
    x = ask_all_ways("bullet, far from the origin", c);
    expect_contact_at(&x, begin);
    // Past the plate's edge.
    c.motion_a.start.translation.y += 1.01 + 1e-9;
    x = ask_both_ways("bullet, past the edge", c);
    assert_int_equal(x.contact.kind, APART_FREE);
    apart_shape_release(bullet);
    apart_shape_release(plate);
}

static void test_clearance(void** state) {
    (void)state;
    apart_shape *unit = box_of(1, 1, 1), *ball = apart_shape_sphere(0.5, NULL);
    encounter_case c = {
        unit, unit, going(at(0, 0, 0), at(5, 0, 0), at(0, 0, 0)), still(at(4, 0, 0)), {.clearance = 0.5}};
    motion_answer x = ask_all_ways("clearance 0.5", c);
    expect_contact_at(&x, 0.3);
    // A ball passes a ball at a distance of 1: within 2 while |t| < sqrt(3^2 - 2^2) on a way from -10 to 10.
    c = (encounter_case){
        ball, ball, going(at(-10, 2, 0), at(20, 0, 0), at(0, 0, 0)), still(at(0, 0, 0)), {.clearance = 2}};
    x = ask_all_ways("clearance 2 of balls", c);
    expect_contact_at(&x, (10 - sqrt(5)) / 20);
    expect_span(&x, 0, (10 - sqrt(5)) / 20, (10 + sqrt(5)) / 20);
    c.query.clearance = 1 - 1e-9;
    x = ask_all_ways("clearance just kept", c);
    expect_free(&x, 1);
    assert_true(x.approach.time > 0.4999 && x.approach.time < 0.5001);
    apart_shape_release(unit);
    apart_shape_release(ball);
}

// --------------------------------------------------------------------------------------- where others are wrong ----

static void test_reported_elsewhere(void** state) {
    (void)state;
    // Box2D 115: said to touch.
    apart_shape *flat = box_of(25, 5, 1), *small = box_of(2.5, 2.5, 1);
    apart_motion a = still(at(0, 0, 0)), b = {.kind = APART_MOTION_SLERP};
    const double turn[2] = {513.36676 - 162 * pi, 513.62781 - 162 * pi};
    a.start = apart_pose_from_quaternion(cos(2.95 / 2), 0, 0, sin(2.95 / 2), at(24, -60, 0));
    b.start = apart_pose_from_quaternion(cos(turn[0] / 2), 0, 0, sin(turn[0] / 2), at(53.474274, -50.252514, 0));
    b.end = apart_pose_from_quaternion(cos(turn[1] / 2), 0, 0, sin(turn[1] / 2), at(54.595478, -51.083473, 0));
    motion_answer x = ask_all_ways("box2d 115", (encounter_case){flat, small, a, b, plain});
    assert_int_equal(x.contact.kind, APART_FREE);
    assert_true(x.approach.lower_bound > 6.8);
    apart_shape_release(flat);
    apart_shape_release(small);
    // parry 107: a ball that begins 0.0032 deep in a long box.
    apart_shape *ball = apart_shape_sphere(96, NULL), *ground = box_of(1280, 96, 100);
    a = going(at(216.02324, -1632.0032, 0), at(-636.3961 / 60, -636.3961 / 60, 0), at(0, 0, 0));
    x = ask_both_ways("parry 107", (encounter_case){ball, ground, a, still(at(0, -1824, 0)), plain});
    expect_contact_at(&x, 0);
    // The same 0.0032 above it: met after 0.0032 of the way down.
    a.start.translation.y = -1631.9968;
    x = ask_both_ways("parry 107, from above", (encounter_case){ball, ground, a, still(at(0, -1824, 0)), plain});
    assert_int_equal(x.contact.kind, APART_CONTACT);
    assert_true(fabs(x.contact.time - 0.0032 / (636.3961 / 60)) < 1e-10);
    apart_shape_release(ball);
    apart_shape_release(ground);
    // ncollide 214: 8 of 10.
    apart_shape *unit = box_of(1, 1, 1), *tall = box_of(1, 1.5, 1);
    b = going(at(10, 0, 0), at(-10, 0, 0), at(0, 0, 0));
    x = ask_both_ways("ncollide 214", (encounter_case){unit, tall, still(at(0, 0, 0)), b, plain});
    expect_contact_at(&x, 0.8);
    // FCL: a box from -10 to 10 along x meets a cone about z (0.425); a small ball a thin plate.
    apart_shape *cone = apart_shape_cone(1, 0.5, NULL), *pellet = apart_shape_sphere(0.01, NULL),
                *sheet = box_of(0.0005, 1, 1);
    a = going(at(-10, 0, 0), at(20, 0, 0), at(0, 0, 0));
    x = ask_all_ways("box to cone", (encounter_case){unit, cone, a, still(at(0, 0, 0)), plain});
    expect_contact_at(&x, 8.5 / 20);
    x = ask_all_ways("pellet through a sheet", (encounter_case){pellet, sheet, a, still(at(0, 0, 0)), plain});
    expect_contact_at(&x, (10 - 0.0105) / 20);
    apart_shape_release(unit);
    apart_shape_release(tall);
    apart_shape_release(cone);
    apart_shape_release(pellet);
    apart_shape_release(sheet);
}

// ----------------------------------------------------------------------------------------------------- turning ----

// A capsule, parallel to the axis, turns about a triangle's corner: it is 0.4 away all the time.
static void test_about_a_corner(void** state) {
    (void)state;
    const apart_vec3 corner[3] = {{0, 0, 0}, {-1, 0.2, 0}, {-1, -0.2, 0}};
    const uint32_t order[3] = {0, 1, 2};
    apart_shape* capsule = apart_shape_capsule(1, 0.1, NULL);
    apart_shape* triangle[2] = {apart_shape_points(corner, 3, 0, NULL),
                                apart_shape_mesh(corner, 3, order, 1, NULL, NULL)};
    apart_motion a = going(at(0, 0, 0), at(0, 0, 0), at(0, 0, 2.4));
    a.pivot = at(-0.5, 0, 0);
    a.start = apart_pose_from_quaternion(cos(0.6), 0, 0, -sin(0.6), at(0.5 * cos(1.2), -0.5 * sin(1.2), 0));
    for (int i = 0; i < 2; i++) {
        encounter_case c = {capsule, triangle[i], a, still(at(0, 0, 0)), {.clearance = 0.4 - 1e-6}};
        motion_answer x = ask_all_ways("about a corner, kept", c);
        expect_free(&x, 0.4);
        c.query.clearance = 0.4 + 1e-6;
        x = ask_all_ways("about a corner, too near", c);
        expect_contact_at(&x, 0);
        expect_span(&x, 0, 0, 1);
        c.query.clearance = 0.4; // to rounding: whatever is said is true
        x = ask_both_ways("about a corner, grazing", c);
        assert_true(x.contact.kind != APART_FREE && x.contact.time == 0);
        apart_shape_release(triangle[i]);
    }
    apart_shape_release(capsule);
}

// An arm that lies flat at either end, and in between swings half a turn over what stands there.
static void test_swinging_arm(void** state) {
    (void)state;
    apart_shape *arm = box_of(1, 0.05, 0.05), *lamp = box_of(0.2, 0.2, 0.1), *crate = box_of(0.5, 0.2, 0.3);
    apart_motion a = going(at(1, 0, 0), at(0, 0, 0), at(0, -pi, 0));
    a.pivot = at(-1, 0, 0);
    motion_answer x = ask_all_ways("arm under a lamp", (encounter_case){arm, lamp, a, still(at(0, 0, 1.5)), plain});
    const double angle = acos(0.05 / sqrt(1.4 * 1.4 + 0.2 * 0.2)) - atan(0.2 / 1.4);
    expect_contact_at(&x, angle / pi);
    x = ask_all_ways("arm over a crate", (encounter_case){arm, crate, a, still(at(0, 0, -0.4)), plain});
    expect_free(&x, 0.05);
    x = ask_all_ways("arm under a high lamp", (encounter_case){arm, lamp, a, still(at(0, 0, 2.2)), plain});
    expect_free(&x, 2.1 - sqrt(4 + 0.05 * 0.05));
    apart_shape_release(arm);
    apart_shape_release(lamp);
    apart_shape_release(crate);
}

// A spinner 1e-3 above a plate, and wheels that turn about their own axis, are free at once.
static void test_pure_turns(void** state) {
    (void)state;
    apart_shape *plate = box_of(5, 5, 0.05), *spinner = box_of(1, 0.1, 0.1),
                *wheel = apart_shape_cylinder(1, 0.3, NULL);
    apart_motion a = going(at(0, 0, 0.151), at(0, 0, 0), at(0, 0, 20));
    motion_answer x =
        ask_all_ways("spinner above a plate", (encounter_case){spinner, plate, a, still(at(0, 0, 0)), plain});
    expect_free(&x, 0.151 - 0.1 - 0.05);
    assert_int_equal(x.contact.steps, 1);
    a = going(at(0, 0, 1.06), at(0, 0, 0), at(0, 0, 1e6));
    x = ask_all_ways("standing wheel", (encounter_case){wheel, plate, a, still(at(0, 0, 0)), plain});
    expect_free(&x, 1.06 - 1 - 0.05);
    a = going(at(0, 0, 0), at(0.5, 0, 0), at(0, 1e4, 0));
    a.start = apart_pose_from_quaternion(sqrt(0.5), sqrt(0.5), 0, 0, at(0, 0, 0.4));
    x = ask_both_ways("rolling wheel", (encounter_case){wheel, plate, a, still(at(0, 0, 0)), plain});
    expect_free(&x, 0.05);
    assert_int_equal(x.contact.steps, 1);
    // Not about its own axis.
    a = going(at(0, 0, 0.4), at(0, 0, 0), at(0, 7, 0));
    x = ask_both_ways("tumbling wheel", (encounter_case){wheel, plate, a, still(at(0, 0, 0)), plain});
    assert_int_equal(x.contact.kind, APART_CONTACT);
    apart_shape_release(plate);
    apart_shape_release(spinner);
    apart_shape_release(wheel);
}

// --------------------------------------------------------------------------------------------------- mechanisms ----

// They are near each other all the time, and a narrow bracket of how near would take long.
static const apart_motion_query roughly = {.tolerance = 0.01};

// A tube along a helix of this many turns about the z axis: radius 1, pitch 0.5, a wire of radius 0.08.
static apart_shape* coil(int turns, int around) {
    const int along = turns * 24;
    surface s = surface_make((size_t)(along + 1) * (size_t)around, 2 * (size_t)along * (size_t)around);
    for (int i = 0; i <= along; i++)
        for (int k = 0; k < around; k++) {
            const double t = i * 2 * pi / 24, u = k * 2 * pi / around, r = 1 + 0.08 * cos(u);
            surface_vertex(&s, r * cos(t), r * sin(t), 0.5 * t / (2 * pi) + 0.08 * sin(u));
        }
    for (int i = 0; i < along; i++)
        for (int k = 0; k < around; k++) {
            const uint32_t p = (uint32_t)(i * around + k), q = (uint32_t)(i * around + (k + 1) % around);
            surface_triangle(&s, p, q, p + (uint32_t)around);
            surface_triangle(&s, q, q + (uint32_t)around, p + (uint32_t)around);
        }
    apart_shape* shape = surface_shape(&s, NULL);
    surface_free(&s);
    return shape;
}

// The thread of a screw in another: they are 0.25 - 0.16 apart along the axis, less across the slope of the thread.
static void test_thread(void** state) {
    (void)state;
    apart_shape *bolt = coil(1, 6), *nut = coil(3, 6);
    const double pitch = 0.5;
    const apart_motion_query few = {.tolerance = 0.01, .max_steps = 20000};
    // One turn of the screw.
    apart_motion a = going(at(0, 0, 0.25), at(0, 0, pitch), at(0, 0, 2 * pi));
    motion_answer x = ask_all_ways("bolt is screwed", (encounter_case){bolt, nut, a, still(at(0, 0, 0)), few});
    assert_int_equal(x.contact.kind, APART_FREE);
    // Everything is near everything all the time: the steps run out, and the bracket is wide.
    assert_true(x.approach.lower_bound > 0 && x.approach.upper_bound < 0.12);
    a.velocity.angular = at(0, 0, 0);
    x = ask_both_ways("bolt is pulled", (encounter_case){bolt, nut, a, still(at(0, 0, 0)), few});
    assert_int_equal(x.contact.kind, APART_CONTACT);
    // 0.09 along the axis between the polygons of six corners, a little more.
    assert_true(x.contact.time > 0.17 && x.contact.time < 0.25);
    a.velocity = (apart_twist){at(0, 0, pitch), at(0, 0, -2 * pi)};
    x = ask_both_ways("bolt is turned wrongly", (encounter_case){bolt, nut, a, still(at(0, 0, 0)), few});
    assert_int_equal(x.contact.kind, APART_CONTACT);
    apart_shape_release(bolt);
    apart_shape_release(nut);
}

// A disc with teeth of half width 0.1 from 0.7 to 1.2 from the axis.
static apart_shape* gear(int teeth) {
    apart_shape *disc = apart_shape_cylinder(0.2, 0.8, NULL), *tooth = box_of(0.25, 0.1, 0.2);
    apart_part part[33] = {{disc, apart_pose_identity}};
    for (int i = 0; i < teeth; i++) {
        const double angle = 2 * pi * i / teeth;
        part[i + 1] = (apart_part){tooth, apart_pose_from_quaternion(cos(angle / 2), 0, 0, sin(angle / 2),
                                                                     at(0.95 * cos(angle), 0.95 * sin(angle), 0))};
    }
    apart_shape* shape = apart_shape_union(part, (size_t)teeth + 1, NULL);
    apart_shape_release(disc);
    apart_shape_release(tooth);
    return shape;
}

static void test_gears(void** state) {
    (void)state;
    apart_shape* wheel = gear(8);
    apart_motion a = turning(2 * pi), b = going(at(2.1, 0, 0), at(0, 0, 0), at(0, 0, -2 * pi));
    b.start = apart_pose_from_quaternion(cos(pi / 16), 0, 0, sin(pi / 16), at(2.1, 0, 0));
    motion_answer x = ask_all_ways("gears in mesh", (encounter_case){wheel, wheel, a, b, roughly});
    assert_int_equal(x.contact.kind, APART_FREE);
    assert_true(x.approach.lower_bound > 0.01 && x.approach.upper_bound <= 0.1 + 1e-9); // tip and disc
    b.velocity.angular = at(0, 0, -pi);
    x = ask_both_ways("gears at the wrong rates", (encounter_case){wheel, wheel, a, b, roughly});
    assert_int_equal(x.contact.kind, APART_CONTACT);
    // One tooth pair after the other: 8 teeth pass the line of axes while the other wheel brings 4.
    assert_true(x.spans >= 3);
    b.velocity.angular = at(0, 0, 0);
    x = ask_both_ways("one gear is locked", (encounter_case){wheel, wheel, a, b, roughly});
    assert_int_equal(x.contact.kind, APART_CONTACT);
    apart_shape_release(wheel);
}

// Two rings, one through the other: 1.4 - 2 * 0.1 is how far their middles can get apart.
static void test_chain(void** state) {
    (void)state;
    surface ring = model_torus(24, 12, 0.1);
    apart_shape* link = surface_shape(&ring, NULL);
    apart_motion a = still(at(0, 0, 0)), b = still(at(0, 0, 0));
    b.kind = APART_MOTION_VELOCITY;
    b.start = apart_pose_from_quaternion(sqrt(0.5), sqrt(0.5), 0, 0, at(0.7, 0, 0));
    b.velocity.linear = at(1, 0, 0);
    motion_answer x = ask_all_ways("links are pulled", (encounter_case){link, link, a, b, roughly});
    assert_int_equal(x.contact.kind, APART_CONTACT);
    assert_true(fabs(x.contact.time - 0.5) < 0.01);
    b.velocity.linear = at(0.3, 0, 0);
    b.velocity.angular = at(0.7, 0, 0);
    x = ask_all_ways("links have play", (encounter_case){link, link, a, b, roughly});
    assert_int_equal(x.contact.kind, APART_FREE);
    surface_free(&ring);
    apart_shape_release(link);
}

// ----------------------------------------------------------------------------------------------- kinds of motion ----

static apart_status motion_function(double time, void* context, apart_pose* pose) {
    return apart_motion_pose(context, time, pose);
}

static apart_motion as_function(apart_motion* m, double speed, double spin) {
    apart_motion f = {
        .kind = APART_MOTION_FUNCTION, .function = motion_function, .context = m, .speed = speed, .spin = spin};
    f.pivot = m->pivot;
    return f;
}

// The same way, said in several ways.
static void test_kinds_agree(void** state) {
    (void)state;
    apart_shape *rod = box_of(2, 0.05, 0.05), *post = box_of(0.1, 0.1, 0.1);
    const apart_vec3 way = {0.3, 0.2, 0};
    apart_motion velocity = going(at(0, 0, 0), way, at(0, 0, 3)), slerp = {.kind = APART_MOTION_SLERP}, keys;
    slerp.start = apart_pose_identity;
    assert_int_equal(apart_motion_pose(&velocity, 1, &slerp.end), APART_OK);
    apart_key key[5];
    for (int i = 0; i < 5; i++) {
        key[i].time = i / 4.0;
        assert_int_equal(apart_motion_pose(&velocity, key[i].time, &key[i].pose), APART_OK);
    }
    keys = (apart_motion){.kind = APART_MOTION_KEYS, .keys = key, .key_count = 5};
    apart_motion function = as_function(&velocity, 0.37, 3.01);
    encounter_case c = {rod, post, velocity, still(at(0, 1.5, 0)), plain};
    const motion_answer x = ask_all_ways("rod, velocity", c);
    assert_int_equal(x.contact.kind, APART_CONTACT);
    const apart_motion* other[3] = {&slerp, &keys, &function};
    const char* name[3] = {"rod, slerp", "rod, keys", "rod, function"};
    for (int i = 0; i < 3; i++) {
        c.motion_a = *other[i];
        const motion_answer y = ask_both_ways(name[i], c);
        assert_int_equal(y.contact.kind, APART_CONTACT);
        assert_true(fabs(x.contact.time - y.contact.time) < 3e-12);
        assert_true(fabs(x.contact.time_upper - y.contact.time_upper) < 3e-12);
        assert_int_equal(x.spans, y.spans);
        for (size_t k = 0; k < x.spans; k++) expect_span(&y, k, x.span[k].begin, x.span[k].end);
    }
    // NLERP goes the same way on another clock: at t as far as slerp at the angle of (1 - t) + t q.
    c.motion_a = slerp;
    c.motion_a.end.translation = at(0, 0, 0);
    const motion_answer steady = ask_all_ways("rod, slerp without way", c);
    c.motion_a.kind = APART_MOTION_NLERP;
    const motion_answer y = ask_all_ways("rod, nlerp without way", c);
    const double half = 1.5, t = y.contact.time, angle = 2 * atan2(t * sin(half), 1 - t + t * cos(half));
    assert_int_equal(y.contact.kind, APART_CONTACT);
    assert_true(fabs(angle - 3 * steady.contact.time) < 1e-11);
    apart_shape_release(rod);
    apart_shape_release(post);
}

// Several ways one after the other: what happens first is what happens in the first that has something.
static void test_keys_are_their_pieces(void** state) {
    (void)state;
    enum { KEYS = 9 };
    apart_shape *tool = apart_shape_capsule(0.4, 0.05, NULL), *block = box_of(0.3, 0.3, 0.3);
    rng r = rng_seed(1400);
    long contacts = 0, later = 0;
    for (int round = 0; round < 60; round++) {
        apart_key key[KEYS];
        for (int i = 0; i < KEYS; i++) {
            key[i].time = i / (double)(KEYS - 1);
            key[i].pose = rng_pose(&r, rng_in_cube(&r, 1.3));
        }
        encounter_case whole = {
            tool, block, {.kind = APART_MOTION_KEYS, .keys = key, .key_count = KEYS}, still(at(0, 0, 0)), plain};
        motion_answer x;
        const char* wrong = motion_ask_and_check(&whole, 400, &x, &tally);
        if (wrong) fail_msg("keys %d: %s", round, wrong);
        double least = INFINITY;
        bool met = false;
        for (int i = 0; i + 1 < KEYS; i++) {
            encounter_case part = whole;
            part.motion_a = (apart_motion){.kind = APART_MOTION_SLERP, .start = key[i].pose, .end = key[i + 1].pose};
            motion_answer y;
            wrong = motion_ask_and_check(&part, 50, &y, &tally);
            if (wrong) fail_msg("keys %d, piece %d: %s", round, i, wrong);
            if (y.approach.upper_bound < least) least = y.approach.upper_bound;
            assert_true(x.approach.lower_bound <= y.approach.upper_bound);
            if (met || y.contact.kind == APART_FREE) continue;
            met = true;
            contacts++;
            later += i > 0;
            assert_int_equal(x.contact.kind, y.contact.kind);
            const double begin = (i + y.contact.time) / (KEYS - 1);
            assert_true(fabs(begin - x.contact.time) < 1e-11);
        }
        assert_true(met == (x.contact.kind != APART_FREE));
        assert_true(least >= x.approach.lower_bound && least <= x.approach.upper_bound + 1e-8);
    }
    assert_true(contacts > 20 && later > 5);
    apart_shape_release(tool);
    apart_shape_release(block);
}

// Long rests in contact, and between them a quick way out and back.
static void test_rests(void** state) {
    (void)state;
    apart_shape* unit = box_of(1, 1, 1);
    const double time[6] = {0, 0.3, 0.33, 0.42, 0.45, 1}, place[6] = {1.5, 1.5, 2.5, 2.5, 1.5, 1.5};
    apart_key key[6];
    for (int i = 0; i < 6; i++) key[i] = (apart_key){time[i], pose_at(place[i], 0, 0)};
    encounter_case c = {unit, unit, still(at(0, 0, 0)), still(at(0, 0, 0)), plain};
    c.motion_b = (apart_motion){.kind = APART_MOTION_KEYS, .keys = key, .key_count = 6};
    const motion_answer x = ask_both_ways("out and back", c);
    assert_int_equal(x.spans, 2);
    expect_span(&x, 0, 0, 0.315);
    expect_span(&x, 1, 0.435, 1);
    apart_shape_release(unit);
}

// A quick stab between two keys, begun from a slow way that leads away.
static void test_stab(void** state) {
    (void)state;
    surface block = model_box(at(0.5, 0.5, 0.5), 1);
    apart_shape *mesh = surface_shape(&block, NULL), *point = apart_shape_sphere(0.125, NULL);
    const double time[5] = {0, 0.001, 0.002, 0.003, 1}, place[5] = {0.626, 0.627, 0.5, 0.627, 0.627};
    apart_key key[5];
    for (int i = 0; i < 5; i++) key[i] = (apart_key){time[i], pose_at(place[i], 0, 0)};
    encounter_case c = {mesh, point, still(at(0, 0, 0)), still(at(0, 0, 0)), plain};
    c.motion_b = (apart_motion){.kind = APART_MOTION_KEYS, .keys = key, .key_count = 5};
    const motion_answer x = ask_both_ways("stab", c);
    assert_int_equal(x.contact.kind, APART_CONTACT);
    assert_true(fabs(x.contact.time - (0.001 + 0.001 * 0.002 / 0.127)) < 1e-11);
    surface_free(&block);
    apart_shape_release(mesh);
    apart_shape_release(point);
}

// ------------------------------------------------------------------------------------------------ limits, errors ----

static void test_few_steps(void** state) {
    (void)state;
    surface knot = model_knot(60, 8);
    apart_shape *rod = box_of(2, 0.05, 0.05), *post = box_of(0.1, 0.1, 0.1), *mesh = surface_shape(&knot, NULL);
    encounter_case c[2] = {{rod, post, turning(100), still(at(0, 2.0007, 0)), plain},
                           {mesh, mesh, going(at(-3, 0, 0), at(6, 0.1, 0), at(3, 2, 1)), still(at(0, 0, 0)), plain}};
    long undecided = 0;
    for (int i = 0; i < 2; i++)
        for (int most = 1; most < 60; most += most < 10 ? 1 : 7) {
            c[i].query.max_steps = most;
            motion_answer x;
            const char* wrong = motion_ask_and_check(&c[i], 300, &x, &tally);
            if (wrong) fail_msg("%d steps: %s", most, wrong);
            undecided += x.contact.kind == APART_UNDECIDED;
            // It looks ahead and has the last word before it stops.
            assert_true(x.contact.steps <= most + 64);
        }
    assert_true(undecided > 5);
    surface_free(&knot);
    apart_shape_release(rod);
    apart_shape_release(post);
    apart_shape_release(mesh);
}

// Two slabs, one of which tumbles through several turns beside the other: many dips of the distance, and the least one
// is found with the bracket that was asked for, in a few hundred steps at most.
static void test_many_dips(void** state) {
    (void)state;
    apart_shape* slab = box_of(1, 0.3, 0.1);
    const apart_motion rests = still(at(0, 0, 0));
    rng r = rng_seed(14008);
    long steps = 0;
    for (int i = 0; i < 100; i++) {
        const apart_vec3 aside = rng_in_cube(&r, 1);
        const apart_motion tumbles =
            going(at(2.6 + aside.x, 2 * aside.y, aside.z), rng_in_cube(&r, 1), rng_in_cube(&r, 30));
        apart_approach a;
        assert_int_equal(apart_closest_approach(slab, &tumbles, slab, &rests, NULL, &a), APART_OK);
        assert_true(a.upper_bound - a.lower_bound < 1e-8);
        steps += a.steps;
    }
    print_message("many dips: %ld steps on average\n", steps / 100);
    assert_true(steps / 100 < 400);
    apart_shape_release(slab);
}

// Far from the origin the places are known to less than the tolerance: two triangles stall, and the search ends there
// with what is certain.
static void test_stalls_far_off(void** state) {
    (void)state;
    surface box = model_box((apart_vec3){0.5, 0.4, 0.3}, 1);
    apart_shape* mesh = surface_shape(&box, NULL);
    const apart_motion_query query = {.tolerance = 7e-9, .max_steps = 20000};
    int most = 0;
    for (uint64_t i = 0; i < 6; i++) {
        rng r = rng_seed(i);
        apart_motion m[2];
        for (int k = 0; k < 2; k++) {
            m[k] = going(at(0, 0, 0), (apart_vec3){0.01, 0.1, 0}, (apart_vec3){0.3, k, 0.2});
            m[k].start = rng_pose(&r, (apart_vec3){1e9 + k * 1.7, 2e6, 3e6});
        }
        apart_approach a;
        assert_int_equal(apart_closest_approach(mesh, &m[0], mesh, &m[1], &query, &a), APART_OK);
        assert_true(a.upper_bound - a.lower_bound < 1e-6);
        most = a.steps > most ? a.steps : most;
    }
    print_message("places known to less than the tolerance: %d steps at most\n", most);
    assert_true(most < 1000);
    apart_shape_release(mesh);
    surface_free(&box);
}

static apart_status rushing_function(double time, void* context, apart_pose* pose) {
    (void)context;
    *pose = apart_pose_identity;
    pose->translation.x = -6 + 20 * time;
    return APART_OK;
}

// The rate at the first contact is that of the approach, wherever in time, also of a function.
static void test_rate(void** state) {
    (void)state;
    apart_shape* box = box_of(1, 1, 1);
    const apart_motion rests = still(at(0, 0, 0)), goes = going(at(-6, 0, 0), at(20, 0, 0), at(0, 0, 0));
    const apart_motion rushes = {.kind = APART_MOTION_FUNCTION, .function = rushing_function, .speed = 20};
    const apart_motion* motions[2] = {&goes, &rushes};
    for (int i = 0; i < 2; i++) {
        apart_contact c;
        assert_int_equal(apart_first_contact(box, motions[i], box, &rests, NULL, &c), APART_OK);
        assert_int_equal(c.kind, APART_CONTACT);
        assert_true(fabs(c.time - 0.2) < 1e-11 && fabs(c.rate + 20) < 1e-6);
    }
    apart_shape_release(box);
}

static apart_status failing_function(double time, void* context, apart_pose* pose) {
    *pose = apart_pose_identity;
    pose->translation.x = -4 + 3 * time;
    return time > *(double*)context ? APART_CANCELLED : APART_OK;
}

static apart_status broken_function(double time, void* context, apart_pose* pose) {
    (void)context;
    *pose = apart_pose_identity;
    pose->translation.x = -4;
    if (time > 0) pose->rotation.m[0][0] = 1.1;
    return APART_OK;
}

// A status, and nothing written.
static void expect_refusal(const encounter_case* c, bool no_query, apart_status status) {
    motion_answer x, before;
    memset(&x, 0x5a, sizeof x);
    memcpy(&before, &x, sizeof x);
    const apart_motion_query* q = no_query ? NULL : &c->query;
    assert_int_equal(apart_first_contact(c->a, &c->motion_a, c->b, &c->motion_b, q, &x.contact), status);
    assert_int_equal(apart_closest_approach(c->a, &c->motion_a, c->b, &c->motion_b, q, &x.approach), status);
    assert_int_equal(apart_contact_spans(c->a, &c->motion_a, c->b, &c->motion_b, q, x.span, 1, &x.spans), status);
    assert_memory_equal(&x.contact, &before.contact, sizeof x.contact);
    assert_memory_equal(&x.approach, &before.approach, sizeof x.approach);
    assert_int_equal(x.spans, before.spans);
}

static void test_refusals(void** state) {
    (void)state;
    apart_shape* unit = box_of(1, 1, 1);
    const encounter_case good = {unit, unit, going(at(-3, 0, 0), at(6, 0, 0), at(0, 0, 1)), still(at(0, 0, 0)), plain};
    encounter_case c = good;
    c.a = NULL;
    expect_refusal(&c, true, APART_INVALID);
    c = good;
    c.query.clearance = NAN;
    expect_refusal(&c, false, APART_NOT_FINITE);
    c.query.clearance = INFINITY;
    expect_refusal(&c, false, APART_NOT_FINITE);
    c.query.clearance = -1;
    expect_refusal(&c, false, APART_INVALID);
    c = good;
    c.query.tolerance = -1;
    expect_refusal(&c, false, APART_INVALID);
    c = good;
    c.query.time_tolerance = NAN;
    expect_refusal(&c, false, APART_NOT_FINITE);
    c.query.time_tolerance = -1e-300;
    expect_refusal(&c, false, APART_INVALID);
    c = good;
    c.query.max_steps = -1;
    expect_refusal(&c, false, APART_INVALID);
    c = good;
    c.motion_a.velocity.angular.y = NAN;
    expect_refusal(&c, false, APART_NOT_FINITE);
    c = good;
    c.motion_b.start.rotation.m[1][1] = 0.9;
    expect_refusal(&c, false, APART_NOT_A_ROTATION);
    c = good;
    c.motion_b.kind = (apart_motion_kind)17;
    expect_refusal(&c, false, APART_INVALID);
    double last = 0.5;
    c = good;
    c.motion_a =
        (apart_motion){.kind = APART_MOTION_FUNCTION, .function = failing_function, .context = &last, .speed = 3};
    expect_refusal(&c, false, APART_CANCELLED);
    c.motion_a.function = broken_function;
    expect_refusal(&c, false, APART_NOT_A_ROTATION);
    c.motion_a.speed = -1;
    expect_refusal(&c, false, APART_INVALID);
    // NULL where an answer belongs.
    const apart_motion *a = &good.motion_a, *b = &good.motion_b;
    size_t count = 77;
    apart_span span;
    assert_int_equal(apart_first_contact(unit, a, unit, b, NULL, NULL), APART_INVALID);
    assert_int_equal(apart_closest_approach(unit, a, unit, b, NULL, NULL), APART_INVALID);
    assert_int_equal(apart_contact_spans(unit, a, unit, b, NULL, &span, 1, NULL), APART_INVALID);
    assert_int_equal(apart_contact_spans(unit, a, unit, b, NULL, NULL, 1, &count), APART_INVALID);
    assert_int_equal(apart_first_contact(unit, NULL, unit, b, NULL, &(apart_contact){0}), APART_INVALID);
    assert_int_equal(count, 77);
    assert_int_equal(apart_contact_spans(unit, a, unit, b, NULL, NULL, 0, &count), APART_OK);
    assert_int_equal(count, 1);
    // A failing function that is never asked about a time at which it fails.
    last = 1;
    apart_contact contact;
    c.motion_a.function = failing_function;
    c.motion_a.speed = 3;
    assert_int_equal(apart_first_contact(unit, &c.motion_a, unit, b, NULL, &contact), APART_OK);
    assert_true(contact.kind == APART_CONTACT && fabs(contact.time - 2.0 / 3) < 1e-9);
    apart_shape_release(unit);
}

static void test_census(void** state) {
    (void)state;
    motion_tally_print("all cases", &tally);
    for (int i = 0; i < 4; i++) assert_true(tally.kinds[i] > 0);
    for (int i = 1; i < 4; i++) assert_true(tally.span_kinds[i] > 0);
    assert_int_equal(tally.overlooked, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rod_past_post),
                                       cmocka_unit_test(test_grazing),
                                       cmocka_unit_test(test_ends_of_time),
                                       cmocka_unit_test(test_alike),
                                       cmocka_unit_test(test_bullet),
                                       cmocka_unit_test(test_clearance),
                                       cmocka_unit_test(test_reported_elsewhere),
                                       cmocka_unit_test(test_about_a_corner),
                                       cmocka_unit_test(test_swinging_arm),
                                       cmocka_unit_test(test_pure_turns),

                                       cmocka_unit_test(test_thread),
                                       cmocka_unit_test(test_gears),
                                       cmocka_unit_test(test_chain),
                                       cmocka_unit_test(test_kinds_agree),
                                       cmocka_unit_test(test_keys_are_their_pieces),
                                       cmocka_unit_test(test_rests),
                                       cmocka_unit_test(test_stab),
                                       cmocka_unit_test(test_few_steps),
                                       cmocka_unit_test(test_many_dips),
                                       cmocka_unit_test(test_stalls_far_off),
                                       cmocka_unit_test(test_rate),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_census)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
