// Prints what was found: for people, as JSON, CSV and JUnit.
#include "report.h"
#include "cli.h"
#include "json.h"
#include "output.h"
#include "print.h"

#include <string.h>

static const char* name_of(const report* r, uint32_t id) { return r->scene->bodies[id].name; }
static const char* state_of(const report* r, const finding* f) {
    return !r->has_baseline ? "" : f->state == STATE_KNOWN ? "known" : "new";
}
static bool meets(const finding* f) { return f->class <= OVERLAP; }

// One sentence for JUnit: what was found, and how much.
typedef struct sentence {
    char text[800]; // two names, what and when
} sentence;
static sentence explain(const report* r, const finding* f) {
    sentence out;
    const name_text a = show_name(name_of(r, f->a)), b = show_name(name_of(r, f->b));
    char what[256], when[120] = "";
    if (f->class == DUPLICATE)
        snprintf(what, sizeof what, "the same geometry in the same place");
    else if (f->class == CONTAINED)
        snprintf(what, sizeof what, "%.180s is inside the other", f->inner == f->a ? a.text : b.text);
    else if (!meets(f))
        snprintf(what, sizeof what, "%.9g apart, less than %.9g", f->distance, f->limit);
    else if (r->rules->depth && !f->moves)
        snprintf(what, sizeof what, "%.9g deep, certainly %.9g to %.9g", -f->distance, -f->upper_bound,
                 -f->lower_bound);
    else
        snprintf(what, sizeof what, "they overlap");
    if (f->moves) snprintf(when, sizeof when, "; too near from time %.9g on", f->time);
    snprintf(out.text, sizeof out.text, "%s and %s: %s%s", a.text, b.text, what, when);
    return out;
}

// ------------------------------------------------------------------------------------------------------ people ----

static void print_legend(const report* r, const size_t* count) {
    static const char* const meaning[CLASSES] = {"the same geometry in the same place", "one is inside the other",
                                                 "they meet, and it is not certain that they only touch",
                                                 "they meet or almost do, certainly no deeper than rounding or --touch",
                                                 "the distance of the nearest points"};
    size_t met = 0;
    for (int k = 0; k < CLASSES; k++)
        if (count[k]) {
            met += k <= OVERLAP ? count[k] : 0;
            print_styled(FAINT, "%-9s  %s\n", class_names[k], meaning[k]);
        }
    if (met && r->rules->depth)
        print_styled(FAINT, "%-9s  minus the shortest way that parts them\n", "below 0");
    else if (met)
        print_styled(FAINT, "%-9s  where they meet the distance is 0; --depth tells how deep they are\n", "");
}

static bool has_margins(const report* r) {
    for (size_t i = 0; i < r->found.count; i++)
        if (r->found.items[i].limit != r->rules->clearance) return true;
    return false;
}

static void print_summary(const report* r, const size_t* count) {
    const size_t found = r->found.count;
    printf("%zu bod%s: ", r->scene->count, r->scene->count == 1 ? "y" : "ies");
    if (found == 0 && r->rules->clearance > 0)
        printf("every pair is at least %.9g apart", r->rules->clearance);
    else if (found == 0)
        printf("no pair overlaps");
    else if (r->rules->clearance > 0)
        print_styled(ALARM, "%zu pair%s closer than %.9g%s", found, found == 1 ? " is" : "s are", r->rules->clearance,
                     has_margins(r) ? " and margins" : "");
    else
        print_styled(ALARM, "%zu pair%s", found, found == 1 ? " is too near" : "s are too near");
    const char* between = " (";
    for (int k = 0; k < CLASSES; k++)
        if (count[k]) {
            printf("%s%zu %s", between, count[k], class_names[k]);
            between = ", ";
        }
    printf("%s%s", found ? ")" : "", r->scene->motion_count ? ", at all times from 0 to 1" : "");
    if (r->found.permitted) printf("; %zu permitted", r->found.permitted);
    if (r->has_baseline)
        printf("; %zu new, %zu known, %zu gone", r->new_count, found - r->new_count, json_array_size(r->gone));
    printf("\n");
}

// The widest name of a column; longer ones than 40 may stand out.
static int widest(const report* r, bool of_b) {
    size_t width = 1;
    for (size_t i = 0; i < r->found.count; i++) {
        const finding* f = &r->found.items[i];
        const size_t length = strlen(name_of(r, of_b ? f->b : f->a));
        width = length > width ? length : width;
    }
    return width < 40 ? (int)width : 40;
}

static void print_row(const report* r, const finding* f, int width_a, int width_b) {
    char certain[24], time[24] = "";
    const double bracket = f->upper_bound - f->lower_bound;
    snprintf(certain, sizeof certain, bracket > 0 ? "%.1e" : "0", bracket);
    if (f->moves) snprintf(time, sizeof time, "%.6g", f->time);
    if (r->has_baseline) printf("%-6s ", state_of(r, f));
    print_styled(meets(f) ? ALARM : STRONG, "%-9s", class_names[f->class]);
    // What may be 0 for all that is known is shown as 0.
    printf("  %-14.9g  %-10s  ", f->class == TOUCH && f->lower_bound <= 0 ? 0 : f->distance, certain);
    if (r->scene->motion_count) printf("%-8s  ", time);
    printf("%-*s  %-*s  ", width_a, show_name(name_of(r, f->a)).text, width_b, show_name(name_of(r, f->b)).text);
    printf("%s", show_point(f->point_a).text);
    if (f->class == NEAR_PAIR || r->rules->depth) printf(" %s", show_point(f->point_b).text);
    if (f->class == CONTAINED) printf("  %s is inside", f->inner == f->a ? "A" : "B");
    printf("\n");
}

static void print_gone(const report* r) {
    size_t index = 0;
    json_t* item = NULL;
    json_array_foreach(r->gone, index, item) {
        const char *a = json_string_value(json_object_get(item, "a")),
                   *b = json_string_value(json_object_get(item, "b"));
        printf("%-6s %-9s  %s, %s\n", "gone", json_string_value(json_object_get(item, "class")), show_name(a).text,
               show_name(b).text);
    }
}

void report_table(const report* r) {
    size_t count[CLASSES] = {0};
    const int width_a = widest(r, false), width_b = widest(r, true);
    for (size_t i = 0; i < r->found.count; i++) count[r->found.items[i].class]++;
    if (r->found.count) {
        if (r->has_baseline) print_styled(FAINT, "%-6s ", "");
        print_styled(FAINT, "%-9s  %-14s  %-10s  ", "class", "distance", "certain to");
        if (r->scene->motion_count) print_styled(FAINT, "%-8s  ", "time");
        print_styled(FAINT, "%-*s  %-*s  %s\n", width_a, "A", width_b, "B", "nearest points");
    }
    for (size_t i = 0; i < r->found.count; i++) print_row(r, &r->found.items[i], width_a, width_b);
    print_gone(r);
    if (r->found.count || json_array_size(r->gone)) printf("\n");
    print_legend(r, count);
    print_summary(r, count);
}

// ---------------------------------------------------------------------------------------------------- programs ----

static json_t* json_finding(const report* r, const finding* f) {
    const bool contained = f->class == CONTAINED;
    json_t* out =
        json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "a", json_text(name_of(r, f->a)), "b",
                  json_text(name_of(r, f->b)), "class", class_names[f->class], "distance", json_number(f->distance),
                  "lower_bound", json_number(f->lower_bound), "upper_bound", json_number(f->upper_bound), "limit",
                  json_number(f->limit), "point_a", json_point(f->point_a), "point_b", json_point(f->point_b), "inside",
                  contained ? json_string(f->inner == f->a ? "a" : "b") : json_null());
    int failed = 0;
    if (f->moves) {
        failed |= json_object_set_new(out, "time", json_number(f->time));
        failed |= json_object_set_new(out, "time_upper", json_number(f->time_upper));
        failed |= json_object_set_new(out, "closest_time", json_number(f->closest));
    }
    if (r->has_baseline) failed |= json_object_set_new(out, "state", json_string(state_of(r, f)));
    if (!failed) return out;
    json_decref(out);
    return NULL;
}

int report_json(const report* r) {
    json_t* list = json_array();
    int failed = list == NULL;
    for (size_t i = 0; i < r->found.count; i++)
        failed |= json_array_append_new(list, json_finding(r, &r->found.items[i]));
    json_t* out =
        json_pack("{s:o, s:f, s:I, s:b, s:o, s:I, s:O?}", "name", json_text(r->name), "clearance", r->rules->clearance,
                  "bodies", (json_int_t)r->scene->count, "clean", r->new_count == 0, "found", list, "permitted",
                  (json_int_t)r->found.permitted, "gone", r->has_baseline ? r->gone : NULL);
    if (failed) {
        json_decref(out);
        out = NULL;
    }
    return json_print(out);
}

// In quotes if it must be (RFC 4180).
static void print_field(const char* text) {
    if (!strpbrk(text, ",\"\r\n")) {
        printf("%s", text);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"') putchar('"');
        putchar(*text);
    }
    putchar('"');
}

// A contact that could not be shown has no latest time.
static void print_times(const finding* f) {
    printf(",%.17g,", f->time);
    if (isfinite(f->time_upper)) printf("%.17g", f->time_upper);
    printf(",%.17g\n", f->closest);
}

void report_csv(const report* r) {
    printf("a,b,class,state,distance,lower_bound,upper_bound,limit,ax,ay,az,bx,by,bz,time,time_upper,closest_time\n");
    for (size_t i = 0; i < r->found.count; i++) {
        const finding* f = &r->found.items[i];
        const apart_vec3 p = f->point_a, q = f->point_b;
        print_field(name_of(r, f->a));
        putchar(',');
        print_field(name_of(r, f->b));
        printf(",%s,%s,%.17g,%.17g,%.17g,%.17g", class_names[f->class], state_of(r, f), f->distance + 0.0,
               f->lower_bound, f->upper_bound, f->limit);
        printf(",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", p.x, p.y, p.z, q.x, q.y, q.z);
        if (f->moves)
            print_times(f);
        else
            printf(",,,\n");
    }
}

// ------------------------------------------------------------------------------------------------------- JUnit ----

// Text of XML: UTF-8 without control characters, which XML 1.0 does not have.
static void put_xml(FILE* out, const char* text) {
    json_t* valid = json_text(text);
    const char* c = valid ? json_string_value(valid) : "?";
    for (; *c; c++) {
        const char* word = *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : *c == '"' ? "&quot;" : NULL;
        if (word)
            fputs(word, out);
        else
            fputc((unsigned char)*c < ' ' || *c == '\x7f' ? '?' : *c, out);
    }
    json_decref(valid);
}

static void put_case(FILE* out, const report* r, const finding* f) {
    const char* element = f->state == STATE_KNOWN ? "skipped" : "failure";
    const char* class = class_names[f->class];
    fprintf(out, "<testcase classname=\"");
    put_xml(out, r->name);
    fprintf(out, "\" name=\"");
    put_xml(out, name_of(r, f->a));
    fprintf(out, ", ");
    put_xml(out, name_of(r, f->b));
    fprintf(out, "\"><%s type=\"%s\" message=\"%s: ", element, class, class);
    put_xml(out, explain(r, f).text);
    fprintf(out, "\">at %s and %s</%s></testcase>\n", show_point(f->point_a).text, show_point(f->point_b).text,
            element);
}

// A test case for each pair that was found, and one for all the others.
static void put_junit(FILE* out, const void* context) {
    const report* r = context;
    const size_t found = r->found.count;
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"apart check\" tests=\"%zu\" "
            "failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n<testcase classname=\"",
            found + 1, r->new_count, found - r->new_count);
    put_xml(out, r->name);
    fprintf(out, "\" name=\"every other pair of %zu bodies\"/>\n", r->scene->count);
    for (size_t i = 0; i < found; i++) put_case(out, r, &r->found.items[i]);
    fprintf(out, "</testsuite>\n</testsuites>\n");
}

int report_junit(const report* r, const char* path) { return output_write(path, put_junit, r); }
