// Which format is it? The content decides where it can, since file names lie; the ending of the name decides the rest.
// Formats that are not read are recognised as well, so that the refusal names them and a way out.
#include "format.h"
#include "text.h"

#include <string.h>

static bool begins_with(const reader* r, const char* text) {
    const size_t length = strlen(text);
    return reader_left(r) >= length && word_is((word){r->at, length}, text);
}

void format_pass_mark(reader* r) {
    if (begins_with(r, "\xef\xbb\xbf")) r->at += 3;
}

// The part of the name after its last dot, or "".
static word ending(const char* name) {
    const char* dot = strrchr(name, '.');
    const char* slash = strrchr(name, '/');
    if (!dot || (slash && slash > dot)) return (word){"", 0};
    return (word){dot + 1, strlen(dot + 1)};
}

// How many bytes are looked at to tell text from binary, or to find a word that names a format.
enum { SHOWN = 1024 };

static size_t shown_size(const reader* r) { return reader_left(r) < SHOWN ? reader_left(r) : SHOWN; }

// ---------------------------------------------------------------------------------------- formats that are read ----

// Whether the first line that holds something other than a comment begins with a word of OBJ. A line of counts may come
// before it.
static bool looks_like_obj(reader r) {
    static const char* const words[] = {"v", "vt", "vn", "vp", "f", "o", "g", "s", "mtllib", "usemtl"};
    word w = {"", 0};
    r.comment = '#';
    if (text_seek(&r) && text_is_integers(r)) text_next_line(&r);
    if (!text_seek(&r) || !text_word(&r, &w)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word_is(w, words[i])) return true;
    return false;
}

// Whether the first such line begins with a number. Names of columns may come before it.
static bool looks_like_points(reader r) {
    word w = {"", 0};
    double x = 0;
    r.comment = '#';
    r.commas = true;
    if (text_seek(&r) && points_names_row(r)) text_next_line(&r);
    return text_seek(&r) && text_word(&r, &w) && text_to_number(w, &x) != NUMBER_NOT;
}

// ASCII STL begins with the word solid; so do the headers of some binary ones, which go on with bytes that no text has.
static bool looks_like_ascii_stl(reader r) {
    return text_seek(&r) && begins_with(&r, "solid") && !memchr(r.at, '\0', shown_size(&r) / 2);
}

static read_fn by_ending(const char* name) {
    static const struct {
        const char* ending;
        read_fn read;
    } endings[] = {{"stl", read_stl_binary}, {"obj", read_obj},    {"ply", read_ply},
                   {"off", read_off},        {"xyz", read_points}, {"txt", read_points},
                   {"pts", read_points},     {"csv", read_points}, {"asc", read_points}};
    const word w = ending(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (word_is(w, endings[i].ending)) return endings[i].read;
    return NULL;
}

static read_fn by_content(const reader* r) {
    if (stl_is_binary(r->begin, (size_t)(r->end - r->begin))) return read_stl_binary;
    if (begins_with(r, "ply\n") || begins_with(r, "ply\r") || begins_with(r, "ply ")) return read_ply;
    if (looks_like_ascii_stl(*r)) return read_stl_ascii;
    return off_magic(r->at, r->end) ? read_off : NULL;
}

// ------------------------------------------------------------------------------------ formats that are not read ----

// A format, known by how it begins and a word soon after, or by the ending of the name.
typedef struct foreign {
    const char* name;
    const char* advice;
    const char* begin; // NULL = by the ending only
    const char* word;  // among the first bytes; NULL = none
    const char* endings;
} foreign;

#define CAD "convert it to STL with FreeCAD or gmsh"
#define MODEL "convert it to STL, OBJ or PLY with Blender or assimp"
#define MESH "convert it to PLY or OBJ with meshio or MeshLab"
#define CLOUD "convert it to PLY or XYZ with CloudCompare or PDAL"
#define MAKER "export STL from the program that wrote it"

static const foreign others[] = {
    {"IFC", "convert it to OBJ with IfcConvert, or to STL with FreeCAD", "ISO-10303-21", "('IFC", "ifc"},
    {"STEP", CAD, "ISO-10303-21", NULL, "step stp p21"},
    {"IGES", CAD, NULL, NULL, "iges igs"},
    {"BREP", CAD, "DBRep_DrawableShape", NULL, "brep brp"},
    {"GLB (binary glTF)", MODEL, "glTF", NULL, "glb"},
    {"glTF", MODEL, "{", "\"asset\"", "gltf"},
    {"COLLADA", MODEL, "<", "<COLLADA", "dae"},
    {"X3D", MODEL, "<", "<X3D", "x3d"},
    {"AMF", "convert it to STL with PrusaSlicer or MeshLab", "<", "<amf", "amf"},
    {"3MF", "convert it to STL with PrusaSlicer or Blender", "PK\x03\x04", "[Content_Types].xml", "3mf"},
    {"FreeCAD's own format", "export STL from FreeCAD", "PK\x03\x04", "Document.xml", "fcstd"},
    {"FBX", MODEL, "Kaydara FBX Binary", NULL, "fbx"},
    {"FBX", MODEL, "; FBX", NULL, ""},
    {"3DS", MODEL, NULL, NULL, "3ds"},
    {"VRML", "convert it to STL with MeshLab or Blender", "#VRML", NULL, "wrl vrml"},
    {"Blender's own format", "export STL from Blender", "BLENDER", NULL, "blend"},
    {"USD", MODEL, "PXR-USDC", NULL, "usd usdc usdz"},
    {"USD", MODEL, "#usda", NULL, "usda"},
    {"DXF", "convert it to STL with FreeCAD", "AutoCAD Binary DXF", NULL, "dxf"},
    {"DWG", "export STL from the program that wrote it, or DXF for FreeCAD", NULL, NULL, "dwg"},
    {"Rhino's own format", "export STL from Rhino", "3D Geometry File Format", NULL, "3dm"},
    {"VTK", MESH, "# vtk DataFile", NULL, "vtk"},
    {"VTK", MESH, "<", "<VTKFile", "vtu vtp"},
    {"a mesh of Gmsh", "export STL with gmsh", "$MeshFormat", NULL, "msh"},
    {"PCD", CLOUD, "# .PCD", NULL, "pcd"},
    {"LAS", CLOUD, "LASF", NULL, "las laz"},
    {"E57", CLOUD, "ASTM-E57", NULL, "e57"},
    {"Draco", "decode it to PLY with draco_decoder", "DRACO", NULL, "drc"},
    {"SolidWorks' own format", MAKER, NULL, NULL, "sldprt sldasm"},
    {"Inventor's own format", MAKER, NULL, NULL, "ipt iam"},
    {"CATIA's own format", MAKER, NULL, NULL, "catpart catproduct"},
    {"Parasolid", MAKER, NULL, NULL, "x_t x_b"},
    {"ACIS", MAKER, NULL, NULL, "sat sab"},
    {"JT", MAKER, NULL, NULL, "jt"},
    {"OpenSCAD's own format", "make STL of it with openscad -o", NULL, NULL, "scad"},
    // Any of the formats above may be inside; the ending tells.
    {"a ZIP archive", "unpack it", "PK\x03\x04", NULL, "zip"},
    {"gzip", "unpack it with gunzip", "\x1f\x8b", NULL, "gz"},
};
enum { OTHERS = sizeof others / sizeof *others, ARCHIVES = 2 };

static bool is_at_begin(const reader* r, const char* text) {
    const size_t length = strlen(text);
    return reader_left(r) >= length && memcmp(r->at, text, length) == 0;
}

// Whether the first bytes hold a word.
static bool holds(const reader* r, const char* text) {
    const size_t length = strlen(text);
    const size_t size = shown_size(r);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(r->at + i, text, length) == 0) return true;
    return false;
}

// IGES: lines of 80 columns; the last eight of the first one are the letter S and the number 1.
static bool looks_like_iges(const reader* r) {
    if (reader_left(r) < 80 || r->at[72] != 'S' || r->at[79] != '1') return false;
    for (size_t i = 73; i < 79; i++)
        if (r->at[i] != ' ' && r->at[i] != '0') return false;
    return true;
}

// DXF in text: a line 0, a line SECTION.
static bool looks_like_dxf(reader r) {
    word w = {"", 0};
    if (!text_seek(&r) || !text_word(&r, &w) || !word_is(w, "0") || !text_next_line(&r)) return false;
    return text_word(&r, &w) && word_is(w, "section");
}

static const foreign* foreign_named(const char* name) {
    for (const foreign* f = others; f < others + OTHERS; f++)
        if (!strcmp(f->name, name)) return f;
    return NULL;
}

static const foreign* foreign_by_ending(const char* name) {
    const word w = ending(name);
    for (const foreign* f = others; f < others + OTHERS; f++)
        for (const char* at = f->endings; *at; at += *at == ' ') {
            const size_t length = strcspn(at, " ");
            if (w.length == length && length < 16) {
                char one[16] = {0};
                memcpy(one, at, length);
                if (word_is(w, one)) return f;
            }
            at += length;
        }
    return NULL;
}

static const foreign* foreign_by_content(const reader* r) {
    if (looks_like_iges(r)) return foreign_named("IGES");
    if (looks_like_dxf(*r)) return foreign_named("DXF");
    for (const foreign* f = others; f < others + OTHERS; f++)
        if (f->begin && is_at_begin(r, f->begin) && (!f->word || holds(r, f->word))) {
            const foreign* named = f < others + OTHERS - ARCHIVES ? NULL : foreign_by_ending(r->name);
            return named ? named : f;
        }
    return NULL;
}

// f: NULL = nothing known.
static bool refuse(reader* r, const foreign* f) {
    if (f) return fail_file(r, APART_UNSUPPORTED, "%s is not read; %s", f->name, f->advice);
    return fail_file(r, APART_FILE, "not a format that is read here; use STL, OBJ, PLY, OFF or lines of x y z");
}

// --------------------------------------------------------------------------------------------------- the choice ----

read_fn format_choose(reader* r) {
    reader text = *r;
    format_pass_mark(&text);
    read_fn read = by_content(&text);
    const foreign* other = read ? NULL : foreign_by_content(&text);
    if (!read && !other) read = by_ending(r->name);
    if (!read && !other && looks_like_obj(text)) read = read_obj;
    if (!read && !other) other = foreign_by_ending(r->name);
    if (!read && !other && looks_like_points(text)) read = read_points;
    if (!read) refuse(r, other);
    return read;
}

// Whether there is nothing but blanks and comments so far.
static bool is_comment(reader r) {
    r.comment = '#';
    return !text_seek(&r);
}

bool format_may_begin(reader* r) {
    const bool text = !memchr(r->at, '\0', shown_size(r));
    if (r->how->points) return text || refuse(r, NULL);
    if (text && is_comment(*r)) return true;
    if (!text && stl_may_begin(r->begin, reader_left(r))) return true;
    // The ending alone may have chosen a reader, of a binary STL.
    return format_choose(r) && (text || begins_with(r, "ply") || refuse(r, NULL));
}
