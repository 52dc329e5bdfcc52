// apart path SCENE: what the bodies of a scene do along their motions: first contacts, spans of contact and closest
// approaches, certain at every instant, and distances at equal times.
#include "path.h"
#include "cli.h"
#include "output.h"
#include "parse.h"
#include "scene.h"
#include "speed.h"
#include "workers.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "Usage: apart path SCENE [OPTIONS]\n"
                           "\n"
                           "What the bodies of a scene do along their motions, for each pair of which one\n"
                           "moves and that the scene compares: when they first meet, when they are in\n"
                           "contact, how near they come, all of it certain at every instant; and their\n"
                           "distances at equal times, with bounds that are certain.\n"
                           "\n"
                           "SCENE is a JSON file of named bodies (see 'apart scene --help'), or - for\n"
                           "standard input. Time goes from 0 to 1.\n"
                           "\n"
                           "Options:\n"
                           "  --steps N          distances at N + 1 equal times: 10 unless said, 100 for --csv\n"
                           "                     and --json, 200 in a picture\n"
                           "  --clearance D      contact is at most D apart, and the margins of both bodies\n"
                           "  --depth none       where they overlap: none (default) answers distance 0; bound\n"
                           "          bound      how deep at least and at most; exact how deep, as a negative\n"
                           "          exact      distance\n"
                           "  --only NAME        only pairs of this body; may be said again\n"
                           "  --plot FILE.svg    a picture: distances over time, contacts, closest approaches\n"
                           "  --title TEXT       above the picture\n"
                           "  --csv              the distances: time,a,b,distance,lower_bound,upper_bound\n"
                           "  --json             everything, one JSON object on one line\n"
                           "  --threads N        at most N threads; 0 (default): all cores. The answers are\n"
                           "                     the same for any number\n"
                           "  --strict           refuse files that are odd, instead of a warning\n"
                           "  -h, --help         this help\n"
                           "\n"
                           "Examples:\n"
                           "  apart path cell.json\n"
                           "  apart path cell.json --clearance 0.01 --only gripper\n"
                           "  apart path cell.json --depth exact --plot distances.svg\n"
                           "  apart path cell.json --csv --steps 1000 >distances.csv\n";

typedef struct options {
    const char* file;
    const char* plot;  // NULL = no picture
    const char* title; // NULL = what the file is called
    char** only;       // names, of which there is room for one an argument
    int only_count;
    int steps; // 0 = not said
    int threads;
    double clearance;
    apart_depth depth;
    bool csv, json, strict, help;
} options;

// --------------------------------------------------------------------------------------------------- arguments ----

enum { STEPS = 256, CLEARANCE, DEPTH, ONLY, PLOT, TITLE, CSV, JSON, THREADS, STRICT };
static const struct option words[] = {{"steps", required_argument, NULL, STEPS},
                                      {"clearance", required_argument, NULL, CLEARANCE},
                                      {"depth", required_argument, NULL, DEPTH},
                                      {"only", required_argument, NULL, ONLY},
                                      {"plot", required_argument, NULL, PLOT},
                                      {"title", required_argument, NULL, TITLE},
                                      {"csv", no_argument, NULL, CSV},
                                      {"json", no_argument, NULL, JSON},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"strict", no_argument, NULL, STRICT},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static int take_count(const char* option, int least, int most, int* out) {
    double x = 0;
    if (!parse_number(optarg, &x) || !(x >= least && x <= most) || x != (double)(int)x)
        return complain("%s: '%.40s' is not a whole number from %d to %d", option, optarg, least, most);
    *out = (int)x;
    return 0;
}

static int take_clearance(double* out) {
    if (parse_number(optarg, out) && *out >= 0) return 0;
    return complain("--clearance: '%.40s' is not a number, 0 or more", optarg);
}

static int take_option(int option, char** argv, options* o) {
    switch (option) {
    case STEPS:
        return take_count("--steps", 1, 1000000, &o->steps);
    case CLEARANCE:
        return take_clearance(&o->clearance);
    case DEPTH:
        if (parse_depth(optarg, &o->depth)) return 0;
        return complain("--depth: '%.40s' is not a depth; use none, bound or exact", optarg);
    case ONLY:
        o->only[o->only_count++] = optarg;
        return 0;
    case PLOT:
        o->plot = optarg;
        return 0;
    case TITLE:
        o->title = optarg;
        return 0;
    case CSV:
        o->csv = true;
        return 0;
    case JSON:
        o->json = true;
        return 0;
    case THREADS:
        return take_count("--threads", 0, 4096, &o->threads);
    case STRICT:
        o->strict = true;
        return 0;
    case 'h':
        o->help = true;
        return 0;
    default:
        return complain_option("path", option, argv);
    }
}

static int take_arguments(int argc, char** argv, options* o) {
    opterr = 0;
    for (int option = 0; (option = getopt_long(argc, argv, ":h", words, NULL)) != -1;) {
        const int status = take_option(option, argv, o);
        if (status != 0 || o->help) return status;
    }
    if (argc - optind != 1)
        return complain("path takes one scene file, not %d; see 'apart path --help'", argc - optind);
    if (o->csv && o->json) return complain("--csv and --json exclude each other");
    if (o->title && !o->plot) return complain("--title is for a picture; add --plot FILE.svg");
    if (o->plot && !strcmp(o->plot, "-") && (o->csv || o->json))
        return complain("--plot - and --csv or --json cannot both go to standard output");
    o->file = argv[optind];
    return 0;
}

// ------------------------------------------------------------------------------------------------------- pairs ----

// More pairs than this are a question for 'apart check'; so many distances take 1.6 GB; and a picture shows so many
// curves.
enum { MOST_PAIRS = 100000, MOST_SAMPLES = 50000000, MOST_CURVES = 200 };

static apart_scene_body body_of(const path* p, size_t index) {
    apart_scene_body body = {.pose = apart_pose_identity};
    apart_scene_get(p->scene->scene, p->scene->bodies[index].id, &body);
    return body;
}

static apart_motion motion_of(const path* p, size_t index) {
    const apart_motion* motion = p->scene->bodies[index].motion;
    return motion ? *motion : (apart_motion){.start = body_of(p, index).pose};
}

static bool is_wanted(const path* p, const options* o, size_t body) {
    for (int i = 0; i < o->only_count; i++)
        if (scene_body_is_called(&p->scene->bodies[body], o->only[i])) return true;
    return o->only_count == 0;
}

static bool is_pair(const path* p, const options* o, size_t a, size_t b) {
    const apart_io_body* bodies = p->scene->bodies;
    return (bodies[a].motion || bodies[b].motion) && (is_wanted(p, o, a) || is_wanted(p, o, b)) &&
           apart_scene_is_compared(p->scene->scene, bodies[a].id, bodies[b].id);
}

// Counts the pairs, and lists them if there is room.
static size_t list_pairs(const path* p, const options* o, path_pair* pairs) {
    size_t count = 0;
    for (size_t a = 0; a < p->scene->count; a++)
        for (size_t b = a + 1; b < p->scene->count; b++) {
            if (!is_pair(p, o, a, b)) continue;
            if (pairs) pairs[count] = (path_pair){.a = a, .b = b};
            count++;
        }
    return count;
}

// Whether every name of --only is that of a body; if not, says so.
static bool check_names(const path* p, const options* o) {
    for (int i = 0; i < o->only_count; i++) {
        bool known = false;
        for (size_t j = 0; j < p->scene->count && !known; j++)
            known = scene_body_is_called(&p->scene->bodies[j], o->only[i]);
        if (!known) {
            complain("--only: there is no body '%.80s' in %.80s", o->only[i], p->file);
            return false;
        }
    }
    return true;
}

// The body that is in all pairs, if there are several.
static size_t find_common(const path* p) {
    const size_t none = p->scene->count;
    bool first = true;
    bool second = true;
    for (size_t i = 1; i < p->count; i++) {
        first = first && (p->pairs[i].a == p->pairs[0].a || p->pairs[i].b == p->pairs[0].a);
        second = second && (p->pairs[i].a == p->pairs[0].b || p->pairs[i].b == p->pairs[0].b);
    }
    if (p->count < 2) return none;
    return first ? p->pairs[0].a : second ? p->pairs[0].b : none;
}

// Whether there are pairs, and not too many; if not, says so.
static bool check_count(const path* p) {
    if (p->scene->motion_count == 0)
        complain("%.200s: no body has a motion; 'apart check' is for scenes that stay", p->file);
    else if (p->count == 0)
        complain("%.200s: there is no pair to compare of which one moves", p->file);
    else if (p->count > MOST_PAIRS)
        complain("%.200s: %zu pairs are too many here; choose bodies by --only, or see 'apart check'", p->file,
                 p->count);
    else if (p->count * (p->steps + 1) > MOST_SAMPLES)
        complain("%.200s: %zu distances are too many; take fewer --steps, or bodies by --only", p->file,
                 p->count * (p->steps + 1));
    else
        return true;
    return false;
}

static bool make_pairs(path* p, const options* o) {
    if (!check_names(p, o)) return false;
    p->count = list_pairs(p, o, NULL);
    if (!check_count(p)) return false;
    p->pairs = calloc(p->count, sizeof *p->pairs);
    p->motion = calloc(p->scene->count, sizeof *p->motion);
    if (!p->pairs || !p->motion) {
        complain("out of memory");
        return false;
    }
    list_pairs(p, o, p->pairs);
    for (size_t i = 0; i < p->scene->count; i++) p->motion[i] = motion_of(p, i);
    p->common = find_common(p);
    return true;
}

// -------------------------------------------------------------------------------------------------------- work ----

static void follow_pair(void* job, size_t index) {
    path* p = job;
    path_pair* pair = &p->pairs[index];
    const apart_scene_body a = body_of(p, pair->a);
    const apart_scene_body b = body_of(p, pair->b);
    pair->status = course_find(a.shape, &p->motion[pair->a], b.shape, &p->motion[pair->b],
                               p->clearance + a.margin + b.margin, &pair->course);
}

// Room for the poses and answers of a pair at many times.
typedef struct buffers {
    apart_pose *a, *b;
    apart_result* results;
} buffers;

static bool buffers_open(buffers* w, size_t count) {
    w->a = malloc(count * sizeof *w->a);
    w->b = malloc(count * sizeof *w->b);
    w->results = malloc(count * sizeof *w->results);
    return w->a && w->b && w->results;
}

static void buffers_close(buffers* w) {
    free(w->a);
    free(w->b);
    free(w->results);
}

// Distances of a pair at the times of its samples.
static apart_status measure_pair(const path* p, const path_pair* pair, sample* samples, size_t count, buffers* w,
                                 int threads) {
    const apart_query query = {.depth = p->depth};
    apart_status status = APART_OK;
    for (size_t i = 0; i < count && status == APART_OK; i++) {
        status = apart_motion_pose(&p->motion[pair->a], samples[i].time, &w->a[i]);
        if (status == APART_OK) status = apart_motion_pose(&p->motion[pair->b], samples[i].time, &w->b[i]);
    }
    if (status == APART_OK)
        status = apart_distance_poses(body_of(p, pair->a).shape, w->a, count, body_of(p, pair->b).shape, w->b, count,
                                      &query, w->results, NULL, threads);
    for (size_t i = 0; i < count && status == APART_OK; i++) {
        const apart_result* r = &w->results[i];
        samples[i] = (sample){samples[i].time, r->distance, r->lower_bound, r->upper_bound};
    }
    return status;
}

// Distances of a pair at equal times.
static apart_status sample_pair(const path* p, path_pair* pair, buffers* w, int threads) {
    const size_t count = p->steps + 1;
    sample* samples = pair->samples = malloc(count * sizeof *samples);
    if (!samples) return APART_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) samples[i].time = (double)i / (double)p->steps;
    const apart_status status = measure_pair(p, pair, samples, count, w, threads);
    for (size_t i = 0; i < count && status == APART_OK; i++)
        pair->largest = fmax(pair->largest, fabs(samples[i].distance));
    return status;
}

static apart_status measure_all(path* p, int threads, progress* bar) {
    buffers w = {0};
    apart_status status = buffers_open(&w, p->steps + 1) ? APART_OK : APART_OUT_OF_MEMORY;
    for (size_t i = 0; i < p->count && status == APART_OK; i++) {
        status = sample_pair(p, &p->pairs[i], &w, threads);
        progress_show((double)(i + 1) / (double)p->count, bar);
    }
    buffers_close(&w);
    return status;
}

static apart_status find_answers(path* p, int threads) {
    progress bar;
    progress_start(&bar, p->file);
    progress_phase(&bar, "following");
    workers_run(follow_pair, p, p->count, threads, &bar);
    apart_status status = APART_OK;
    for (size_t i = 0; i < p->count && status == APART_OK; i++) status = p->pairs[i].status;
    progress_phase(&bar, "measuring");
    if (status == APART_OK) status = measure_all(p, threads, &bar);
    progress_finish(&bar);
    return status;
}

// ----------------------------------------------------------------------------------------------------- picture ----

static int by_time(const void* a, const void* b) {
    const double s = ((const sample*)a)->time;
    const double t = ((const sample*)b)->time;
    return (s > t) - (s < t);
}

// Outside of its spans a pair is apart, and so the signed distance is not below 0 where a span begins or ends.
static void raise_ends(const course* c, sample* samples, size_t count) {
    for (size_t i = 0; i < c->span_count; i++) {
        const double begin = i == 0 || c->spans[i - 1].end < c->spans[i].begin ? c->spans[i].begin : 0;
        const double end = i + 1 == c->span_count || c->spans[i + 1].begin > c->spans[i].end ? c->spans[i].end : 1;
        for (size_t j = 0; j < count; j++)
            if ((samples[j].time == begin && begin > 0) || (samples[j].time == end && end < 1)) {
                samples[j].lower = fmax(samples[j].lower, 0);
                samples[j].distance = fmax(samples[j].distance, 0);
                samples[j].upper = fmax(samples[j].upper, 0);
            }
    }
}

// A curve is measured at equal times, and where its spans and its closest approach are: it goes through all of them.
static apart_status make_curve(const path* p, const path_pair* pair, size_t steps, int threads, plot_curve* out) {
    const course* c = &pair->course;
    const size_t count = steps + 2 + 2 * c->span_count;
    buffers w = {0};
    sample* samples = malloc(count * sizeof *samples);
    apart_status status = samples && buffers_open(&w, count) ? APART_OK : APART_OUT_OF_MEMORY;
    size_t n = 0;
    for (size_t i = 0; status == APART_OK && i <= steps; i++) samples[n++].time = (double)i / (double)steps;
    for (size_t i = 0; status == APART_OK && i < c->span_count; i++) {
        samples[n++].time = c->spans[i].begin;
        samples[n++].time = c->spans[i].end;
    }
    if (status == APART_OK) {
        samples[n++].time = c->nearest.time;
        qsort(samples, n, sizeof *samples, by_time);
        status = measure_pair(p, pair, samples, n, &w, threads);
        if (status == APART_OK) raise_ends(c, samples, n);
    }
    buffers_close(&w);
    const double speed = motion_speed(&p->motion[pair->a], body_of(p, pair->a).shape) +
                         motion_speed(&p->motion[pair->b], body_of(p, pair->b).shape);
    const double overlap = p->depth == APART_DEPTH_NONE ? 0 : -INFINITY;
    const double floor = c->nearest.lower_bound > 0 ? c->nearest.lower_bound : overlap;
    *out = (plot_curve){.samples = samples, .count = n, .speed = speed, .floor = floor, .course = c};
    return status;
}

static void write_picture(FILE* out, const void* context) { plot_write(out, context); }

// The title of a picture that was given none.
static void make_title(const path* p, char text[240]) {
    if (p->common < p->scene->count)
        snprintf(text, 240, "Distances from %.200s along its path", p->scene->bodies[p->common].name);
    else
        snprintf(text, 240, "Distances over time: %.200s", p->file);
}

// Up to as many pairs as there are colours stay in the order of the scene; of more the first to meet come first.
static int draw_path(const path* p, const path_entry* order, const options* o) {
    char title[240];
    const size_t count = p->count < MOST_CURVES ? p->count : MOST_CURVES;
    plot_curve* curves = calloc(count, sizeof *curves);
    pair_text* labels = malloc(count * sizeof *labels);
    plot picture = {.title = o->title ? o->title : title,
                    .curves = curves,
                    .count = count,
                    .pairs = p->count,
                    .steps = o->steps ? (size_t)o->steps : 200,
                    .clearance = p->clearance};
    make_title(p, title);
    apart_status status = curves && labels ? APART_OK : APART_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && status == APART_OK; i++) {
        const path_pair* pair = p->count <= PLOT_CURVES ? &p->pairs[i] : order[i].pair;
        status = make_curve(p, pair, picture.steps, o->threads, &curves[i]);
        labels[i] = show_pair(p, pair, p->common < p->scene->count ? 24 : 14);
        curves[i].label = labels[i].text;
    }
    const int exit_status = status == APART_OK ? output_write(o->plot, write_picture, &picture)
                                               : complain("no answer: %s", apart_status_text(status));
    for (size_t i = 0; curves && i < count; i++) free((void*)curves[i].samples);
    free(curves);
    free(labels);
    return exit_status;
}

// ------------------------------------------------------------------------------------------------------------- ----

static void path_close(path* p) {
    for (size_t i = 0; p->pairs && i < p->count; i++) {
        course_close(&p->pairs[i].course);
        free(p->pairs[i].samples);
    }
    free(p->pairs);
    free(p->motion);
}

// The picture first: if it cannot be written, nothing is printed.
static int show_path(const path* p, const options* o) {
    path_entry* order = malloc(p->count * sizeof *order);
    if (!order) return complain("out of memory");
    path_sort(p, order);
    int status = o->plot ? draw_path(p, order, o) : EXIT_SUCCESS;
    if (status == EXIT_SUCCESS && o->csv)
        status = print_path_csv(p);
    else if (status == EXIT_SUCCESS && o->json)
        status = print_path_json(p);
    else if (status == EXIT_SUCCESS && !(o->plot && !strcmp(o->plot, "-")))
        status = print_path(p, order);
    free(order);
    return status;
}

static int follow_scene(const apart_io_scene* scene, const options* o) {
    path p = {.file = o->file, .scene = scene, .clearance = o->clearance, .depth = o->depth};
    p.steps = (size_t)(o->steps ? o->steps : o->csv || o->json ? 100 : 10);
    int exit_status = EXIT_TROUBLE;
    if (make_pairs(&p, o)) {
        const apart_status status = find_answers(&p, o->threads);
        exit_status = status == APART_OK ? show_path(&p, o) : complain("no answer: %s", apart_status_text(status));
    }
    path_close(&p);
    return exit_status;
}

static int load_and_run(const options* o) {
    apart_error error;
    progress bar;
    progress_start(&bar, o->file);
    progress_phase(&bar, "loading");
    const apart_io_options how = {.strict = o->strict, .progress = progress_show, .progress_context = &bar};
    apart_io_scene* scene = apart_io_scene_load(o->file, &how, &error);
    progress_finish(&bar);
    if (!scene) return complain("%s", error.message);
    if (error.message[0]) warn("%s", error.message);
    const int status = follow_scene(scene, o);
    apart_io_scene_release(scene);
    return status;
}

int run_path(int argc, char** argv) {
    options o = {.only = malloc((size_t)argc * sizeof *o.only)};
    if (!o.only) return complain("out of memory");
    int status = take_arguments(argc, argv, &o);
    if (status == 0) status = o.help ? print_help(help) : load_and_run(&o);
    free(o.only);
    return status;
}
