// bench/points: many points against one mesh: apart_distance one by one, beside apart_distance_points.
//
// Points around a knot (anywhere in a cube of one and a half times its size) and near it (1 % of the size off a
// corner); signed: with the depth of those inside. Every answer of one call is compared with that of its own query, and
// some of these with brute force over all triangles. --export writes one set of points and its answers for other
// programs.
#include "apart/apart.h"
#include "machine.h"
#include "options.h"
#include "random.h"
#include "surface.h"

#include <stdlib.h>
#include <string.h>

// Distances may be off by this much of the size, which is 1.
#define TOLERANCE 1e-12
// And a bracket may be so wide, a depth being as exact as that of a smooth body.
#define WIDEST(is_signed) ((is_signed) ? 1e-9 : TOLERANCE)
// So many answers of each row are compared with brute force, of meshes of at most so many triangles.
#define BRUTE 20
#define BRUTE_TRIANGLES 200000

typedef struct options {
    common_options common;
    const char *sizes, *folder;
} options;

static const struct scale {
    const char* label;
    size_t triangles;
} SCALES[] = {{"20k", 20000}, {"200k", 200000}, {"1M", 1000000}};

typedef enum way { ONE_BY_ONE, BY_ONE_CALL, ON_TWO_THREADS, WAYS } way;
static const char* const WAY_NAMES[WAYS] = {"AUTO", "points", "points x2"};

static const struct set {
    const char* label;
    bool near, is_signed;
} SETS[] = {{"around", false, false}, {"near", true, false}, {"around, signed", false, true}};

// One mesh and its points, and what was answered by each of the ways.
typedef struct stage {
    surface surface;
    apart_shape *mesh, *point;
    size_t count;
    apart_vec3* points;
    apart_result* results[WAYS];
    double ns[WAYS];
    size_t wrong[WAYS];
    double worst, bracket;
} stage;

static void place_points(stage* s, bool near, uint64_t seed) {
    rng r = rng_seed(seed);
    for (size_t i = 0; i < s->count; i++) {
        const apart_vec3 corner = s->surface.vertices[rng_next(&r) % s->surface.vertex_count];
        const apart_vec3 off = rng_in_cube(&r, near ? 0.01 : 0.75);
        s->points[i] = near ? (apart_vec3){corner.x + off.x, corner.y + off.y, corner.z + off.z} : off;
    }
}

static bool answer(stage* s, way how, const apart_query* q) {
    if (how != ONE_BY_ONE)
        return apart_distance_points(s->mesh, &apart_pose_identity, s->points, s->count, q, s->results[how], NULL,
                                     how == ON_TWO_THREADS ? 2 : 1) == APART_OK;
    bool good = true;
    for (size_t i = 0; i < s->count; i++) {
        apart_pose pose = apart_pose_identity;
        pose.translation = s->points[i];
        good &=
            apart_distance(s->mesh, &apart_pose_identity, s->point, &pose, q, NULL, &s->results[how][i]) == APART_OK;
    }
    return good;
}

// The least time counts: on several threads it is that of the clock on the wall.
static bool measure(stage* s, const apart_query* q, int rounds) {
    bool good = true;
    for (way how = 0; how < WAYS; how++) s->ns[how] = INFINITY;
    for (int round = 0; round < rounds; round++)
        for (way how = 0; how < WAYS; how++) {
            double (*clock)(void) = how == ON_TWO_THREADS ? wall_seconds : clock_seconds, start = clock();
            good = answer(s, how, q) && good;
            s->ns[how] = fmin(s->ns[how], 1e9 * (clock() - start) / (double)s->count);
        }
    return good;
}

// --------------------------------------------------------------------------------------------------- checking ----

static double brute_force(const surface* s, apart_vec3 p) {
    double least = INFINITY;
    for (size_t t = 0; t < s->triangle_count; t++) {
        const uint32_t* k = s->triangles[t];
        const apart_vec3 corners[3] = {s->vertices[k[0]], s->vertices[k[1]], s->vertices[k[2]]};
        least = fmin(least, apart_point_triangle(p, corners, NULL));
    }
    return sqrt(least);
}

static void check(stage* s, bool is_signed) {
    s->worst = s->bracket = 0;
    memset(s->wrong, 0, sizeof s->wrong);
    for (way how = 0; how < WAYS; how++)
        for (size_t i = 0; i < s->count; i++) {
            // A single query brackets the depth of a mesh only; that of a point is closed.
            const apart_result *one = &s->results[ONE_BY_ONE][i], *r = &s->results[how][i];
            const bool meets = r->lower_bound <= one->upper_bound && one->lower_bound <= r->upper_bound;
            const double width = r->upper_bound - r->lower_bound;
            s->wrong[how] += !meets || (how != ONE_BY_ONE && !(width <= WIDEST(is_signed)));
            if (how != ONE_BY_ONE) s->bracket = fmax(s->bracket, width);
        }
    const size_t stride = s->surface.triangle_count <= BRUTE_TRIANGLES ? s->count / BRUTE : s->count;
    for (size_t i = 0; i < s->count; i += stride) {
        const apart_result* r = &s->results[BY_ONE_CALL][i];
        if (!is_signed && r->distance == 0) continue; // inside
        const double error = fabs(fabs(r->distance) - brute_force(&s->surface, s->points[i]));
        s->wrong[BY_ONE_CALL] += !(error <= TOLERANCE);
        s->worst = fmax(s->worst, error);
    }
}

// ------------------------------------------------------------------------------------------------------- rows ----

static size_t report(const stage* s, const char* label, const options* o, FILE* csv) {
    size_t wrong = 0;
    if (!o->common.csv) printf("%-22s", label);
    for (way how = 0; how < WAYS; how++) {
        wrong += s->wrong[how];
        if (!o->common.csv) printf(" %8.0f%s", s->ns[how], s->wrong[how] ? "!" : " ");
        if (csv)
            fprintf(csv, "points,\"%s\",%s,1,value,%.1f,%zu,%zu,%.3g,%.3g\n", label, WAY_NAMES[how], s->ns[how],
                    s->wrong[how], s->count, s->worst, s->bracket);
    }
    if (!o->common.csv) printf("   x%.1f  %.1e\n", s->ns[ONE_BY_ONE] / s->ns[BY_ONE_CALL], s->bracket);
    fflush(stdout);
    return wrong;
}

static bool write_all(const char* folder, const char* label, const char* what, const void* data, size_t bytes) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.%s", folder, label, what);
    FILE* out = fopen(path, "wb");
    bool good = out && fwrite(data, 1, bytes, out) == bytes;
    if (out) good = !fclose(out) && good;
    if (!good) fprintf(stderr, "points: cannot write %s\n", path);
    return good;
}

// Raw numbers: vertices and points in doubles, triangles in uint32, distances in doubles.
static bool export_set(const stage* s, const char* folder, const char* label) {
    double* distances = malloc(s->count * sizeof *distances);
    bool good = distances != NULL;
    for (size_t i = 0; good && i < s->count; i++) distances[i] = s->results[BY_ONE_CALL][i].distance;
    good =
        good &&
        write_all(folder, label, "vertices", s->surface.vertices, s->surface.vertex_count * sizeof(apart_vec3)) &&
        write_all(folder, label, "triangles", s->surface.triangles, s->surface.triangle_count * 3 * sizeof(uint32_t)) &&
        write_all(folder, label, "points", s->points, s->count * sizeof(apart_vec3)) &&
        write_all(folder, label, "distances", distances, s->count * sizeof *distances);
    free(distances);
    return good;
}

static bool run_scale(const options* o, const struct scale* scale, FILE* csv, size_t* wrong) {
    const apart_vec3 origin = {0, 0, 0};
    stage s = {.count = o->common.quick ? 50000 : 1000000};
    bool good = surface_knot(&s.surface, scale->triangles);
    if (good)
        s.mesh = apart_shape_mesh(s.surface.vertices, s.surface.vertex_count, &s.surface.triangles[0][0],
                                  s.surface.triangle_count, NULL, NULL);
    s.point = apart_shape_points(&origin, 1, 0, NULL);
    s.points = malloc(s.count * sizeof *s.points);
    for (way how = 0; how < WAYS; how++) good = (s.results[how] = calloc(s.count, sizeof(apart_result))) && good;
    good = good && s.mesh && s.point && s.points;
    for (size_t i = 0; good && i < COUNT(SETS); i++) {
        const apart_query q = {.depth = SETS[i].is_signed ? APART_DEPTH_EXACT : APART_DEPTH_NONE};
        char label[64];
        snprintf(label, sizeof label, "%s %s", scale->label, SETS[i].label);
        place_points(&s, SETS[i].near, o->common.seed);
        good = measure(&s, &q, (int)o->common.rounds);
        check(&s, SETS[i].is_signed);
        *wrong += report(&s, label, o, csv);
        // Those that are inside are left out by what has no sign.
        if (good && o->folder && !SETS[i].is_signed) good = export_set(&s, o->folder, label);
    }
    for (way how = 0; how < WAYS; how++) free(s.results[how]);
    free(s.points);
    apart_shape_release(s.point);
    apart_shape_release(s.mesh);
    surface_free(&s.surface);
    return good;
}

static const char HELP[] = "bench/points: many points against one mesh\n"
                           "\n"
                           "  --size LIST        20k,200k,1M (comma-separated)\n"
                           "  --export FOLDER    points and answers, for bench/points-open3d\n" COMMON_HELP;

int main(int argc, char** argv) {
    options o = {.common = {.seed = 1}};
    common_options* common = &o.common;
    const option words[] = {COMMON_OPTIONS(common), {"--size", .text = &o.sizes}, {"--export", .text = &o.folder}};
    int stop = options_parse(words, COUNT(words), "points", HELP, argc, argv);
    if (stop) return stop - 1;
    if (!common->rounds) common->rounds = common->quick ? 2 : 3;
    FILE* csv;
    if (!options_csv(common, "points", &csv)) return 2;
    if (csv) fputs("workload,bodies,library,ours,answers,ns,wrong,queries,worst_error,bracket\n", csv);
    if (!common->csv) {
        printf("apart bench/points: many points against a knot of so many triangles\n\n");
        print_machine();
        printf("settings   seed %llu, least of %d rounds, %s points\n", (unsigned long long)common->seed,
               (int)common->rounds, common->quick ? "50,000" : "1,000,000");
        printf(
            "AUTO       apart_distance, one by one; points: apart_distance_points, one thread; x2: on two, wall-clock "
            "time\n\nnanoseconds a point\n%-22s %8s  %8s  %8s    AUTO / points, bracket\n",
            "", "AUTO", "points", "x2");
    }
    size_t wrong = 0;
    bool good = true;
    for (size_t i = 0; i < COUNT(SCALES); i++)
        if (o.sizes ? options_list(o.sizes, SCALES[i].label, true) : !common->quick || SCALES[i].triangles < 1000000)
            good = run_scale(&o, &SCALES[i], csv, &wrong) && good;
    if (!common->csv) printf("\nwrong answers of apart: %zu\n", wrong);
    if (csv && csv != stdout) fclose(csv);
    return good && !wrong ? 0 : 1;
}
