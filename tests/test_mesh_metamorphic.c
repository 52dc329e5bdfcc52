// What must not change, or must change in a known way, when the question about meshes and unions is put differently:
// bodies exchanged, moved together, triangles and vertices in another order, another unit, a mesh cut in two, a union
// of one, unions in unions, a box and its surface. And the bits of many answers, which no compiler may change.
#include "answers.h"
#include "base/vec.h"
#include "mesh_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct question {
    const apart_shape* a;
    apart_pose pose_a;
    const apart_shape* b;
    apart_pose pose_b;
} question;

static apart_result ask(const question* k, const apart_query* q) {
    apart_result r;
    memset(&r, 0, sizeof r);
    assert_int_equal(apart_distance(k->a, &k->pose_a, k->b, &k->pose_b, q, NULL, &r), APART_OK);
    return r;
}

static apart_shape* shape_of(const surface* s) {
    apart_error error = {0};
    apart_shape* shape = surface_shape(s, &error);
    if (!shape) fail_msg("%s", error.message);
    return shape;
}

static question question_of(const scene* s) {
    question k = {shape_of(&s->a), s->pose_a, shape_of(&s->b), s->pose_b};
    return k;
}

static void question_close(question* k) {
    apart_shape_release((apart_shape*)k->a);
    apart_shape_release((apart_shape*)k->b);
}

static apart_result answer(const scene* s) {
    question k = question_of(s);
    apart_result r = ask(&k, NULL);
    question_close(&k);
    return r;
}

static double size_of(const scene* s) {
    double size = 0;
    for (int k = 0; k < 2; k++) {
        const surface* one = k ? &s->b : &s->a;
        size = fmax(size, vec3_sum_abs(k ? s->pose_b.translation : s->pose_a.translation));
        for (size_t i = 0; i < one->vertex_count; i++) size = fmax(size, vec3_sum_abs(one->vertex[i]) + one->radius);
    }
    return 4 * size;
}

static void complain(const char* how, const scene* s, const apart_result* before, const apart_result* after) {
    answers_complain(how, s->name, s->seed, before, after);
}

#define SCENES 240

// ------------------------------------------------------------------------------------------------- scenes changed ----

// A change of the scene that leaves the distance as it is, up to rounding.
typedef struct variation {
    const char* name;
    uint64_t first; // of SCENES seeds
    void (*change)(scene* s, rng* r);
    bool hollow; // before and after: a solid that is covered twice is none by every rule
} variation;

static void try_variation(void** state) {
    const variation* v = *state;
    long wrong = 0, apart = 0;
    for (uint64_t seed = v->first; seed < v->first + SCENES; seed++) {
        scene s;
        rng r = rng_seed(seed * 7919);
        scene_random(&s, seed, 330);
        s.a.hollow = s.a.hollow || v->hollow;
        double slack = 1e-14 * size_of(&s);
        apart_result before = answer(&s);
        v->change(&s, &r);
        apart_result after = answer(&s);
        apart += before.distance > 0;
        if (!answers_agree(&before, &after, slack) && wrong++ < 10) complain(v->name, &s, &before, &after);
        scene_free(&s);
    }
    printf("%s: %d asked, %ld of them apart, %ld differ\n", v->name, SCENES, apart, wrong);
    assert_true(apart > SCENES / 4 && apart < SCENES);
    assert_int_equal(wrong, 0);
}

static void exchange(scene* s, rng* r) {
    (void)r;
    surface other = s->a;
    apart_pose pose = s->pose_a;
    s->a = s->b;
    s->b = other;
    s->pose_a = s->pose_b;
    s->pose_b = pose;
}

static void move_both(scene* s, rng* r) {
    apart_pose motion = rng_pose(r, vec3_scale(size_of(s), rng_in_cube(r, 1)));
    scene_move(s, &motion);
}

static void reorder(scene* s, rng* r) {
    uint32_t* from = calloc(s->a.triangle_count + s->b.triangle_count, sizeof *from);
    surface_shuffle_triangles(&s->a, r, from);
    surface_shuffle_triangles(&s->b, r, from);
    free(from);
}

static void relabel(scene* s, rng* r) {
    surface_shuffle_vertices(&s->a, r);
    surface_shuffle_vertices(&s->b, r);
}

static void unshare(scene* s, rng* r) {
    (void)r;
    surface_unshare(&s->a);
    surface_unshare(&s->b);
}

static void turn_over(scene* s, rng* r) {
    surface_invert(&s->a);
    if (rng_chance(r, 0.5)) surface_mix_orientation(&s->b, r);
}

// The mesh twice in one array.
static void repeat(scene* s, rng* r) {
    (void)r;
    surface copy = surface_copy(&s->a);
    surface_append(&s->a, &copy);
    surface_free(&copy);
}

static variation variations[] = {
    {"exchanged", 1, exchange, false},
    {"moved together", 1001, move_both, false},
    {"triangles in another order", 2001, reorder, false},
    {"vertices in another order", 3001, relabel, false},
    {"without shared vertices", 4001, unshare, false},
    {"turned over", 5001, turn_over, false},
    {"repeated", 6001, repeat, true},
};
#define VARIATIONS (sizeof variations / sizeof *variations)

// Exchanged bodies mirror bit by bit, where they are apart.
static void test_mirror(void** state) {
    (void)state;
    long wrong = 0, apart = 0, same = 0;
    for (uint64_t seed = 7001; seed < 7001 + SCENES; seed++) {
        scene s;
        scene_random(&s, seed, 330);
        question k = question_of(&s), mirror = {k.b, k.pose_b, k.a, k.pose_a};
        apart_result r = ask(&k, NULL), t = ask(&mirror, NULL);
        double off = 1e-14 * size_of(&s);
        if (r.lower_bound > 0) {
            apart++;
            same += answers_mirrored(&r, &t);
            bool fits = fabs(r.distance - t.distance) <= off && fabs(r.lower_bound - t.lower_bound) <= off;
            if (!fits && wrong++ < 10) complain("mirrored", &s, &r, &t);
        }
        question_close(&k);
        scene_free(&s);
    }
    printf("mirrored: %ld apart, %ld of them to the last bit, %ld do not mirror\n", apart, same, wrong);
    assert_true(apart > SCENES / 4);
    assert_int_equal(wrong, 0);
}

// A power of two as unit changes no bit but the exponents.
static void test_unit(void** state) {
    (void)state;
    long wrong = 0, asked = 0;
    for (uint64_t seed = 8001; seed < 8001 + SCENES; seed++) {
        scene s;
        rng r = rng_seed(seed);
        scene_random(&s, seed, 330);
        double unit = ldexp(1, rng_between(&r, -300, 300)), size = size_of(&s);
        if (size > 1e-30 && size < 1e30) {
            apart_result first = answer(&s);
            scene_scale(&s, unit);
            apart_result second = answer(&s);
            asked++;
            if (!answers_same_but_unit(&first, &second, unit) && wrong++ < 10)
                complain("in another unit", &s, &first, &second);
        }
        scene_free(&s);
    }
    printf("in another unit: %ld asked, %ld differ\n", asked, wrong);
    assert_true(asked > SCENES / 2);
    assert_int_equal(wrong, 0);
}

// --------------------------------------------------------------------------------------------------------- unions ----

// The number of a triangle of the whole, from the part and the triangle of a mesh cut in two.
static uint32_t whole_number(const apart_witness* w, size_t cut) {
    return w->triangle + (w->part == 1 ? (uint32_t)cut : 0);
}

// A mesh cut in two, as a union of two meshes. Hollow: the halves of a solid enclose nothing.
static void test_cut_in_two(void** state) {
    (void)state;
    long wrong = 0, apart = 0;
    for (uint64_t seed = 9001; seed < 9001 + SCENES; seed++) {
        scene s;
        rng r = rng_seed(seed);
        scene_random(&s, seed, 330);
        s.a.hollow = s.b.hollow = true;
        size_t cut = (size_t)rng_between(&r, 1, (int)s.a.triangle_count - 1);
        surface first = surface_copy(&s.a), rest = surface_copy(&s.a);
        surface_keep(&first, 0, cut);
        surface_keep(&rest, cut, s.a.triangle_count - cut);
        apart_part part[2] = {{shape_of(&first), apart_pose_identity}, {shape_of(&rest), apart_pose_identity}};
        question k = question_of(&s), halves = k;
        halves.a = apart_shape_union(part, 2, NULL);
        assert_non_null(halves.a);
        apart_result whole = ask(&k, NULL), both = ask(&halves, NULL);
        apart += whole.distance > 0;
        if (!answers_agree(&whole, &both, 1e-14 * size_of(&s)) && wrong++ < 10)
            complain("cut in two", &s, &whole, &both);
        assert_true(both.a.part < 2 && whole_number(&both.a, cut) < s.a.triangle_count);
        for (int i = 0; i < 2; i++) apart_shape_release(part[i].shape);
        apart_shape_release((apart_shape*)halves.a);
        question_close(&k);
        surface_free(&first);
        surface_free(&rest);
        scene_free(&s);
    }
    printf("cut in two: %d asked, %ld apart, %ld differ\n", SCENES, apart, wrong);
    assert_true(apart > SCENES / 4);
    assert_int_equal(wrong, 0);
}

static apart_shape* wrap(apart_shape* shape, int times) {
    apart_part part = {apart_shape_retain(shape), apart_pose_identity};
    for (int i = 0; i < times; i++) {
        apart_shape* outer = apart_shape_union(&part, 1, NULL);
        assert_non_null(outer);
        apart_shape_release(part.shape);
        part.shape = outer;
    }
    return part.shape;
}

// A union of one, and of one of one: the same distance. Meshes and convex bodies.
static void test_union_of_one(void** state) {
    (void)state;
    long wrong = 0;
    static body convex;
    for (uint64_t seed = 10001; seed < 10001 + SCENES; seed++) {
        scene s;
        rng r = rng_seed(seed);
        scene_random(&s, seed, 330);
        question k = question_of(&s);
        if (seed % 3 == 0) {
            body_random(&r, &convex, 20);
            body_scale(&convex, size_of(&s) / 16);
            apart_shape_release((apart_shape*)k.b);
            k.b = body_shape(&convex, NULL);
        }
        question wrapped = {wrap((apart_shape*)k.a, (int)(seed % 2)), k.pose_a,
                            wrap((apart_shape*)k.b, 1 + (int)(seed % 4)), k.pose_b};
        apart_result plain = ask(&k, NULL), one = ask(&wrapped, NULL);
        if (!answers_agree(&plain, &one, 1e-9 * size_of(&s)) && wrong++ < 10)
            complain("union of one", &s, &plain, &one);
        assert_int_equal(one.a.part + one.b.part, 0);
        question_close(&wrapped);
        question_close(&k);
        scene_free(&s);
    }
    printf("union of one: %d asked, %ld differ\n", SCENES, wrong);
    assert_int_equal(wrong, 0);
}

// Parts told one by one, or in two unions, which are parts of a third: the same numbers, the same distance.
static void test_nested_unions(void** state) {
    (void)state;
    long wrong = 0, apart = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        rng r = rng_seed(seed + 777);
        apart_part part[7];
        for (int i = 0; i < 7; i++) {
            surface s = model_get(rng_below(&r, 9));
            surface_scale(&s, 0.5);
            part[i].shape = i % 2 ? apart_shape_sphere(0.25, NULL) : shape_of(&s);
            part[i].pose = rng_pose(&r, rng_in_cube(&r, 2));
            surface_free(&s);
        }
        apart_pose none = apart_pose_identity;
        apart_part half[3] = {{apart_shape_union(part, 3, NULL), none},
                              {apart_shape_retain(part[3].shape), part[3].pose},
                              {apart_shape_union(part + 4, 3, NULL), none}};
        apart_shape *flat = apart_shape_union(part, 7, NULL), *tall = apart_shape_union(half, 3, NULL);
        question k = {flat, none, part[seed % 7].shape, rng_pose(&r, rng_in_cube(&r, seed % 2 ? 4 : 1))}, nested = k;
        nested.a = tall;
        apart_result one = ask(&k, NULL), two = ask(&nested, NULL);
        scene dummy = {.name = "nested unions"};
        apart += one.distance > 0;
        if (!answers_agree(&one, &two, 1e-13) && wrong++ < 10) complain("nested", &dummy, &one, &two);
        if (one.lower_bound > 0) assert_int_equal(one.a.part, two.a.part);
        for (int i = 0; i < 7; i++) apart_shape_release(part[i].shape);
        for (int i = 0; i < 3; i++) apart_shape_release(half[i].shape);
        apart_shape_release(flat);
        apart_shape_release(tall);
    }
    printf("nested unions: 60 asked, %ld apart, %ld differ\n", apart, wrong);
    assert_true(apart > 10 && apart < 60);
    assert_int_equal(wrong, 0);
}

// ---------------------------------------------------------------------------------------------- a box, said twice ----

// The surface of a box is solid: against meshes and convex bodies it is the box.
static void test_box(void** state) {
    (void)state;
    static body convex;
    long wrong = 0, apart = 0, overlap = 0;
    for (uint64_t seed = 11001; seed < 11001 + 2 * SCENES; seed++) {
        rng r = rng_seed(seed);
        apart_vec3 half = rng_in_cube(&r, 0.45);
        half.x += 0.55, half.y += 0.55, half.z += 0.55;
        surface s = model_box(half, rng_between(&r, 1, 4)), other = model_get(rng_below(&r, 12));
        body_random(&r, &convex, 20);
        apart_pose here = rng_pose(&r, rng_in_cube(&r, 0.5));
        question k = {apart_shape_box(half, 0, NULL), here, seed % 2 ? shape_of(&other) : body_shape(&convex, NULL),
                      rng_pose(&r, rng_in_cube(&r, rng_uniform(&r, 0.2, 4)))};
        question mesh = k;
        mesh.a = shape_of(&s);
        apart_result solid = ask(&k, NULL), surface_of = ask(&mesh, NULL);
        scene dummy = {.name = "box"};
        apart += solid.lower_bound > 0;
        overlap += solid.distance == 0;
        if (!answers_agree(&solid, &surface_of, 1e-8) && wrong++ < 10)
            complain("box and surface", &dummy, &solid, &surface_of);
        apart_shape_release((apart_shape*)mesh.a);
        question_close(&k);
        surface_free(&s);
        surface_free(&other);
    }
    printf("box and its surface: %ld apart, %ld overlap, %ld differ\n", apart, overlap, wrong);
    assert_true(apart > SCENES / 4 && overlap > SCENES / 4);
    assert_int_equal(wrong, 0);
}

// ------------------------------------------------------------------------------------------------- the same bits ----

static void hash_mesh_answer(uint64_t* hash, const apart_result* r) {
    hash_answer(hash, r);
    hash_word(hash, r->a.part);
    hash_word(hash, r->b.part);
    hash_word(hash, r->a.triangle);
    hash_word(hash, r->b.triangle);
}

// Every bit of hundreds of answers: exact; with an error; with a cutoff; warm. The same on every machine, with every
// compiler and instruction set; a change of the algorithm shows here and is entered once it is understood.
#define WAYS 4
static const uint64_t golden_bits[WAYS] = {0x9a7d9869abf7172fu, 0x6650fe42b00f7dacu, 0x8f00de2c090c1515u,
                                           0x6737acbd1ea92b11u};

static void test_same_bits(void** state) {
    (void)state;
    uint64_t hash[WAYS];
    for (int i = 0; i < WAYS; i++) hash[i] = HASH_START;
    for (uint64_t seed = 20001; seed <= 20400; seed++) {
        scene s;
        scene_random(&s, seed, 400);
        question k = question_of(&s);
        apart_query q = apart_query_default();
        apart_cache cache = {0};
        apart_result r = ask(&k, &q), warm;
        hash_mesh_answer(&hash[0], &r);
        q.relative_error = 0.2;
        r = ask(&k, &q);
        hash_mesh_answer(&hash[1], &r);
        q.relative_error = 0;
        q.cutoff = size_of(&s) / 64;
        r = ask(&k, &q);
        hash_mesh_answer(&hash[2], &r);
        for (int i = 0; i < 2; i++)
            assert_int_equal(apart_distance(k.a, &k.pose_a, k.b, &k.pose_b, NULL, &cache, &warm), APART_OK);
        hash_mesh_answer(&hash[3], &warm);
        question_close(&k);
        scene_free(&s);
    }
    printf("golden_bits[WAYS] = {0x%llxu, 0x%llxu, 0x%llxu, 0x%llxu}\n", (unsigned long long)hash[0],
           (unsigned long long)hash[1], (unsigned long long)hash[2], (unsigned long long)hash[3]);
    assert_memory_equal(hash, golden_bits, sizeof hash);
}

int main(void) {
    struct CMUnitTest tests[VARIATIONS + 7] = {
        cmocka_unit_test(test_mirror),       cmocka_unit_test(test_unit),          cmocka_unit_test(test_cut_in_two),
        cmocka_unit_test(test_union_of_one), cmocka_unit_test(test_nested_unions), cmocka_unit_test(test_box),
        cmocka_unit_test(test_same_bits),
    };
    for (size_t i = 0; i < VARIATIONS; i++)
        tests[i + 7] = (struct CMUnitTest){variations[i].name, try_variation, NULL, NULL, &variations[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
