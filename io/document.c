// Values of a JSON text with their places.
#include "document.h"

#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------ places ----

static const char* pass_blanks(const char* c) {
    while (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r') c++;
    return c;
}

static const char* pass_string(const char* c) {
    for (c++; *c != '"'; c++) c += *c == '\\';
    return c + 1;
}

// The text is known to be valid: brackets match, and every value ends.
static const char* pass_value(const char* c) {
    int depth = 0;
    do {
        if (*c == '"') {
            c = pass_string(c);
            continue;
        }
        depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        c++;
    } while (depth > 0 || !strchr(",]} \t\r\n", *c));
    return c;
}

// The place of a node among the members or items of the one above.
static size_t find_index(const node* at) {
    if (!at->key) return at->index;
    size_t index = 0;
    const char* name = NULL;
    json_t* value = NULL;
    json_object_foreach(at->up->value, name, value) {
        if (!strcmp(name, at->key)) break;
        index++;
    }
    return index;
}

// Where a node begins: of a member its value, or its key. NULL: there is no text.
static const char* find_place(const node* at, bool key) {
    if (!at->document->text) return NULL;
    if (!at->up) return pass_blanks(at->document->text);
    const char* c = pass_blanks(find_place(at->up, false) + 1);
    const size_t index = find_index(at);
    for (size_t i = 0;; i++) {
        const char* begin = c;
        if (at->key) c = pass_blanks(pass_blanks(pass_string(c)) + 1); // the colon
        if (i == index) return key ? begin : c;
        c = pass_blanks(pass_blanks(pass_value(c)) + 1); // the comma
    }
}

// Columns are characters, as Jansson counts them, from 1.
static void fail_place(const document* d, const char* place, apart_status status, const char* sentence) {
    size_t line = 1, column = 1;
    if (!place) {
        d->error->status = status;
        snprintf(d->error->message, sizeof d->error->message, "%s", sentence);
        return;
    }
    for (const char* c = d->text; c < place; c++) {
        column += ((unsigned char)*c & 0xc0) != 0x80;
        if (*c == '\n') {
            line++;
            column = 1;
        }
    }
    char name[200];
    snprintf(name, sizeof name, "%.150s:%zu:%zu", d->name, line, column);
    reader r = {.name = name, .error = d->error};
    fail_file(&r, status, "%s", sentence);
}

// One line, whatever names the text holds.
static void make_plain(char* text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == '\x7f') *text = '?';
}

bool node_fail(const node* at, apart_status status, const char* format, ...) {
    char sentence[sizeof at->document->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    make_plain(sentence);
    if (!at->value) at = at->up;
    fail_place(at->document, find_place(at, false), status, sentence);
    return false;
}

// --------------------------------------------------------------------------------------------------- sentences ----

static const char* type_name(const json_t* value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    default:
        return "null";
    }
}

bool node_fail_type(const node* at, const char* expected) {
    const char* key = at->key ? at->key : "this";
    return node_fail(at, APART_FILE, at->key ? "'%.60s' must be %s, not %s" : "%s must be %s, not %s", key, expected,
                     type_name(at->value));
}

// How many insertions, deletions and replacements turn one word into another, for words of up to 40 bytes.
enum { WORD = 40 };
static int edit_distance(const char* a, const char* b) {
    const size_t n = strlen(a), m = strlen(b);
    int row[WORD + 1];
    if (n > WORD || m > WORD) return WORD;
    for (size_t j = 0; j <= m; j++) row[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            const int replaced = diagonal + (a[i - 1] != b[j - 1]);
            const int shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[m];
}

// The best of the words seen so far, if it is near: one letter may be wrong, and a third of all.
static void keep_nearest(const char* name, const char* word, const char** best, int* least) {
    const int wrong = edit_distance(name, word);
    if (wrong >= *least || 3 * (size_t)wrong > strlen(word) + 3) return;
    *least = wrong;
    *best = word;
}

// The place is that of the key if there is one called so.
static bool fail_unknown(const node* at, const char* what, const char* name, const char* best, const char* all) {
    char sentence[200];
    if (best)
        snprintf(sentence, sizeof sentence, "unknown %s '%.60s'; did you mean '%.60s'?", what, name, best);
    else
        snprintf(sentence, sizeof sentence, "unknown %s '%.60s'%s%.100s", what, name, *all ? "; use " : "", all);
    make_plain(sentence);
    fail_place(at->document, find_place(at, at->key && name == at->key), APART_FILE, sentence);
    return false;
}

bool node_fail_unknown(const node* at, const char* what, const char* name, const char* const* choice, size_t count) {
    const char* best = NULL;
    char all[120] = "";
    int least = WORD;
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(all);
        keep_nearest(name, choice[i], &best, &least);
        snprintf(all + used, sizeof all - used, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", choice[i]);
    }
    return fail_unknown(at, what, name, best, all);
}

bool node_fail_unknown_in(const node* at, const char* what, const char* name, json_t* choice) {
    const char *best = NULL, *key = NULL;
    json_t* value = NULL;
    int least = WORD;
    json_object_foreach(choice, key, value) keep_nearest(name, key, &best, &least);
    return fail_unknown(at, what, name, best, "");
}

// ------------------------------------------------------------------------------------------------------ values ----

static bool fail_syntax(document* d, const json_error_t* found) {
    char place[32] = "", sentence[JSON_ERROR_TEXT_LENGTH];
    // Jansson says nothing where it had no memory to begin with.
    const bool memory = json_error_code(found) == json_error_out_of_memory || !found->text[0];
    if (found->line > 0 && !memory) snprintf(place, sizeof place, ":%d:%d", found->line, found->column);
    memcpy(sentence, found->text, sizeof sentence);
    make_plain(sentence);
    char name[200];
    snprintf(name, sizeof name, "%.150s%s", d->name, place);
    reader r = {.name = name, .error = d->error};
    return fail_file(&r, memory ? APART_OUT_OF_MEMORY : APART_FILE, "%s", memory ? "out of memory" : sentence);
}

bool document_parse(document* d, const char* text, size_t size) {
    json_error_t found;
    d->text = text;
    d->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &found);
    if (!d->root) return fail_syntax(d, &found);
    const node root = node_root(d);
    if (json_is_object(d->root)) return true;
    node_fail_type(&root, "an object");
    json_decref(d->root);
    d->root = NULL;
    return false;
}

node node_root(const document* d) { return (node){.document = d, .value = d->root}; }

node node_member(const node* at, const char* key) {
    return (node){.document = at->document, .up = at, .key = key, .value = json_object_get(at->value, key)};
}

node node_item(const node* at, size_t index) {
    return (node){.document = at->document, .up = at, .index = index, .value = json_array_get(at->value, index)};
}

bool node_keys(const node* at, const char* const* keys, size_t count, size_t needed) {
    if (!json_is_object(at->value)) return node_fail_type(at, "an object");
    const char* name = NULL;
    json_t* value = NULL;
    json_object_foreach(at->value, name, value) {
        size_t i = 0;
        while (i < count && strcmp(name, keys[i]) != 0) i++;
        const node member = node_member(at, name);
        if (i == count) return node_fail_unknown(&member, "key", member.key, keys, count);
    }
    for (size_t i = 0; i < needed; i++)
        if (!json_object_get(at->value, keys[i])) return node_fail(at, APART_FILE, "'%s' is missing here", keys[i]);
    return true;
}

bool node_number(const node* at, double* out) {
    if (!json_is_number(at->value)) return node_fail_type(at, "a number");
    *out = json_number_value(at->value);
    return fabs(*out) <= APART_LIMIT || node_fail(at, APART_OUT_OF_RANGE, "%.9g is larger than 1e300", *out);
}

bool node_numbers(const node* at, double* out, size_t count) {
    if (!json_is_array(at->value)) return node_fail_type(at, "an array of numbers");
    const size_t size = json_array_size(at->value);
    if (size != count) return node_fail(at, APART_FILE, "%zu numbers, where %zu belong", size, count);
    for (size_t i = 0; i < count; i++) {
        const node item = node_item(at, i);
        if (!node_number(&item, &out[i])) return false;
    }
    return true;
}

bool node_bool(const node* at, bool* out) {
    *out = json_is_true(at->value);
    return json_is_boolean(at->value) || node_fail_type(at, "true or false");
}

const char* node_text(const node* at) {
    const char* text = json_string_value(at->value);
    if (!text) node_fail_type(at, "a text");
    if (text && !*text) node_fail(at, APART_FILE, "an empty text");
    return text && *text ? text : NULL;
}

bool node_array(const node* at, size_t least) {
    if (!json_is_array(at->value)) return node_fail_type(at, "an array");
    return json_array_size(at->value) >= least || node_fail(at, APART_FILE, "fewer than %zu items", least);
}
