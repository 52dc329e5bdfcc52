// Every kind of damage to a mesh file has its own sentence, with the place.
#include "io_samples.h"

// The message begins with the name of the file.
static const struct damage {
    const char* text;
    apart_status status;
    const char* message;
} damaged[] = {
    // Anything.
    {"", APART_EMPTY, "a: the file is empty"},
    {"hello\n", APART_FILE, "a: not a format that is read here; use STL, OBJ, PLY, OFF or lines of x y z"},
    {"\n# nothing\n", APART_EMPTY, "a.obj: the file holds no points"},
    // Text points.
    {"1 2 3\n4 5\n", APART_FILE, "a.xyz:2: the line ends where the z coordinate should be"},
    {"1 2 3\r\n\r\n4 x 6\r\n", APART_FILE, "a.xyz:3: expected the y coordinate, found 'x'"},
    {"1 2 3\r4 5 6\r7 8 9e\r", APART_FILE, "a.xyz:3: expected the z coordinate, found '9e'"},
    {"1,,2,3\n", APART_FILE, "a.xyz:1: expected the y coordinate, found ''"},
    {"1 2 nan\n", APART_NOT_FINITE, "a.xyz:1: the z coordinate is 'nan'; every coordinate must be finite"},
    {"-inf 2 3\n", APART_NOT_FINITE, "a.xyz:1: the x coordinate is '-inf'; every coordinate must be finite"},
    {"1e301 2 3\n", APART_OUT_OF_RANGE, "a.xyz:1: the x coordinate is larger than 1e300; choose a larger unit"},
    {"1 2 0x10\n", APART_FILE, "a.xyz:1: expected the z coordinate, found '0x10'"},
    {"1 2 \x01\x02verylongwordthatneverends\n", APART_FILE,
     "a.xyz:1: expected the z coordinate, found '??verylongwordthatnevere...'"},
    {"3\n1 2 3\n4 5 6\n", APART_FILE, "a.pts:4: the first line promises 3 points, the file has 2; it may be cut off"},
    // Commas that may be decimal signs.
    {"1,5 2,5 3,5\n", APART_FILE,
     "a.xyz:1: commas beside blanks or semicolons; if 1,5 is one number, write 1.5, if it is two, use one separator"},
    {"1 2 3\n1,5\t2,5\t3,5\n", APART_FILE,
     "a.xyz:2: commas beside blanks or semicolons; if 1,5 is one number, write 1.5, if it is two, use one separator"},
    {"1,5;2,5;3,5\n", APART_FILE,
     "a.csv:1: commas beside blanks or semicolons; if 1,5 is one number, write 1.5, if it is two, use one separator"},
    {"1,5 2,5\n", APART_FILE,
     "a.csv:1: commas beside blanks or semicolons; if 1,5 is one number, write 1.5, if it is two, use one separator"},
    {"1.234,5 2.345,6 3.456,7\n", APART_FILE,
     "a.csv:1: commas beside blanks or semicolons; if 1,5 is one number, write 1.5, if it is two, use one separator"},
    {"1,2,3\n1,5,2,5,3,5\n", APART_FILE,
     "a.csv:2: commas between whole numbers only; if 1,5 is one number, write 1.5, if it is two, separate them by "
     "blanks"},
    {"1,5, -2,5, 3,5\n", APART_FILE,
     "a.csv:1: commas between whole numbers only; if 1,5 is one number, write 1.5, if it is two, separate them by "
     "blanks"},
    {"0,1,5,2,5\n", APART_FILE,
     "a.csv:1: commas between whole numbers only; if 1,5 is one number, write 1.5, if it is two, separate them by "
     "blanks"},
    {"1,2,3,5\n", APART_FILE,
     "a.csv:1: commas between whole numbers only; if 1,5 is one number, write 1.5, if it is two, separate them by "
     "blanks"},
    {"-1,5,2,-3\n", APART_FILE,
     "a.csv:1: commas between whole numbers only; if 1,5 is one number, write 1.5, if it is two, separate them by "
     "blanks"},
    {"1,25e3,2,5e-1,3,5\n", APART_FILE,
     "a.csv:1: commas between whole numbers only; if 1,5 is one number, write 1.5, if it is two, separate them by "
     "blanks"},
    // Columns in another order than x y z.
    {"id x y z\n1 2 3 4\n", APART_FILE, "a.csv:1: expected the x coordinate, found 'id'"},
    // OBJ.
    {"v 1 2 3\nv 1 2\n", APART_FILE, "a.obj:2: the line ends where the z coordinate should be"},
    {"v 0 0 0\nf 1 1 0\n", APART_FILE, "a.obj:2: vertex 0 does not exist; OBJ counts from 1"},
    {"f 1 2 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", APART_FILE, "a.obj:1: vertex 4 does not exist; the file has 3"},
    {"v 0 0 0\nf -1 -2 -1\n", APART_FILE, "a.obj:2: vertex -2 does not exist; 1 vertices came before this line"},
    {"v 0 0 0\nf 1 1\n", APART_FILE, "a.obj:2: a face of 2 corners; it needs at least 3"},
    {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2", APART_FILE, "a.obj:5: a face of 2 corners; it needs at least 3"},
    {"v 0 0 0\nf 1 a/b 1\n", APART_FILE, "a.obj:2: expected the number of a vertex, found 'a/b'"},
    {"v 0 0 0\nf 1 99999999999999999999 1\n", APART_FILE,
     "a.obj:2: expected the number of a vertex, found '99999999999999999999'"},
    {"v 0 0 0\n1 2 3\n", APART_FILE, "a.obj:2: expected a keyword such as v or f, found '1'"},
    // The comment's backslash does not swallow the next line.
    {"# C:\\\nv 1 2\n", APART_FILE, "a.obj:2: the line ends where the z coordinate should be"},
    // OFF.
    {"OFF\n", APART_FILE, "a.off:2: the file ends where the counts should be"},
    {"OFF\n3 x 0\n", APART_FILE, "a.off:2: expected the number of faces, found 'x'"},
    {"OFF\n99999999999999999 0 0\n1 2 3\n", APART_FILE,
     "a.off:4: the file ends after 1 of 99999999999999999 vertices; it may be cut off"},
    {"OFF\n1 1 0\n1 2 3\n4 0 0 0\n", APART_FILE, "a.off:4: the line ends where the index of a vertex should be"},
    {"OFF\n1 1 0\n1 2 3\n3 0 0 1\n", APART_FILE, "a.off:4: vertex 1 does not exist; the file has 1, counted from 0"},
    {"OFF\n1 1 0\n1 2 3\n3 0 -1 0\n", APART_FILE, "a.off:4: expected the index of a vertex, found '-1'"},
    {"OFF BINARY\n", APART_UNSUPPORTED, "a.off:1: binary OFF is not read; convert it to ASCII OFF or PLY"},
    {"4OFF\n1 0 0\n1 2 3 4\n", APART_UNSUPPORTED,
     "a.off:1: OFF in more than three dimensions is not read; convert it to OFF"},
    // Formats that are not read, by their content.
    {"ISO-10303-21;\nHEADER;\n", APART_UNSUPPORTED, "a: STEP is not read; convert it to STL with FreeCAD or gmsh"},
    {"ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\n", APART_UNSUPPORTED,
     "a.stl: IFC is not read; convert it to OBJ with IfcConvert, or to STL with FreeCAD"},
    {"                                                                        S      1\n", APART_UNSUPPORTED,
     "a: IGES is not read; convert it to STL with FreeCAD or gmsh"},
    {"glTF\x02", APART_UNSUPPORTED,
     "a.obj: GLB (binary glTF) is not read; convert it to STL, OBJ or PLY with Blender or assimp"},
    {"{\"asset\": {\"version\": \"2.0\"}}", APART_UNSUPPORTED,
     "a: glTF is not read; convert it to STL, OBJ or PLY with Blender or assimp"},
    {"<?xml version=\"1.0\"?>\n<COLLADA>", APART_UNSUPPORTED,
     "a: COLLADA is not read; convert it to STL, OBJ or PLY with Blender or assimp"},
    {"<?xml version=\"1.0\"?>\n<X3D>", APART_UNSUPPORTED,
     "a: X3D is not read; convert it to STL, OBJ or PLY with Blender or assimp"},
    {"<amf>", APART_UNSUPPORTED, "a: AMF is not read; convert it to STL with PrusaSlicer or MeshLab"},
    {"PK\x03\x04 [Content_Types].xml", APART_UNSUPPORTED,
     "a: 3MF is not read; convert it to STL with PrusaSlicer or Blender"},
    {"PK\x03\x04", APART_UNSUPPORTED, "a.3mf: 3MF is not read; convert it to STL with PrusaSlicer or Blender"},
    {"PK\x03\x04", APART_UNSUPPORTED, "a.stl: a ZIP archive is not read; unpack it"},
    {"\x1f\x8b\x08", APART_UNSUPPORTED, "a.gz: gzip is not read; unpack it with gunzip"},
    {"Kaydara FBX Binary  ", APART_UNSUPPORTED,
     "a: FBX is not read; convert it to STL, OBJ or PLY with Blender or assimp"},
    {"  0\r\nSECTION\r\n  2\r\nHEADER\r\n", APART_UNSUPPORTED, "a: DXF is not read; convert it to STL with FreeCAD"},
    {"#VRML V2.0 utf8\nShape {}\n", APART_UNSUPPORTED,
     "a: VRML is not read; convert it to STL with MeshLab or Blender"},
    {"BLENDER-v300", APART_UNSUPPORTED, "a: Blender's own format is not read; export STL from Blender"},
    {"#usda 1.0\n", APART_UNSUPPORTED, "a: USD is not read; convert it to STL, OBJ or PLY with Blender or assimp"},
    {"# vtk DataFile Version 3.0\n", APART_UNSUPPORTED,
     "a: VTK is not read; convert it to PLY or OBJ with meshio or MeshLab"},
    {"# .PCD v0.7\nVERSION 0.7\n", APART_UNSUPPORTED,
     "a.txt: PCD is not read; convert it to PLY or XYZ with CloudCompare or PDAL"},
    // By the ending of the name.
    {"MM\x01", APART_UNSUPPORTED, "a.3ds: 3DS is not read; convert it to STL, OBJ or PLY with Blender or assimp"},
    {"anything", APART_UNSUPPORTED, "a.STP: STEP is not read; convert it to STL with FreeCAD or gmsh"},
    {"anything", APART_UNSUPPORTED,
     "a.sldasm: SolidWorks' own format is not read; export STL from the program that "
     "wrote it"},
    {"999\ncomment\n", APART_UNSUPPORTED, "a.dxf: DXF is not read; convert it to STL with FreeCAD"},
    // ASCII STL.
    {"solid\n", APART_FILE, "a.stl:2: the file ends before 'endsolid'; it may be cut off"},
    {"solid\nendsolid\n", APART_EMPTY, "a.stl: the file holds no points"},
    {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", APART_FILE,
     "a.stl:6: expected 'vertex', found 'endloop'"},
    {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n", APART_NOT_FINITE,
     "a.stl:4: the z coordinate is 'inf'; every coordinate must be finite"},
    {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", APART_FILE,
     "a.stl:5: the file ends where 'vertex' should be; it may be cut off"},
    {"solid\nvertex 1 2 3\n", APART_FILE, "a.stl:2: expected 'facet' or 'endsolid', found 'vertex'"},
    // Binary STL.
    {"binary?", APART_FILE, "a.stl: byte 7: the file ends in the header of a binary STL (84 bytes)"},
    // PLY.
    {"plyx\n", APART_FILE, "a.ply:1: expected 'ply', found 'plyx'"},
    {"ply\nformat ascii 1.0\n", APART_FILE, "a.ply:3: the file ends in the header; it may be cut off"},
    {"ply\nformat binary 1.0\n", APART_FILE,
     "a.ply:2: expected ascii, binary_little_endian or binary_big_endian, found 'binary'"},
    {"ply\nproperty float x\n", APART_FILE, "a.ply:2: a property before the first element"},
    {"ply\nelement vertex many\n", APART_FILE, "a.ply:2: expected the number of items, found 'many'"},
    {"ply\nelement vertex 1\nelement vertex 1\n", APART_FILE, "a.ply:3: a second element of the same name"},
    {"ply\nelement vertex 1\nproperty half x\n", APART_FILE,
     "a.ply:3: expected the type of the property, found 'half'"},
    {"ply\nelement face 1\nproperty list float int vertex_indices\n", APART_FILE,
     "a.ply:3: a list's length must be an integer"},
    {"ply\nelement face 1\nproperty list uchar float vertex_indices\n", APART_FILE,
     "a.ply:3: the indices of a face must be integers"},
    {"ply\nelement tristrips 1\n", APART_UNSUPPORTED,
     "a.ply:2: triangle strips are not read; write the file again with faces"},
    {"ply\nhello\n", APART_FILE, "a.ply:2: expected a line of the PLY header, found 'hello'"},
    {"ply\nelement vertex 0\nproperty int x\nend_header\n", APART_FILE, "a.ply:5: the header has no line 'format'"},
    {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n", APART_FILE,
     "a.ply:7: the vertices lack a property x, y or z"},
    {"ply\nformat ascii 1.0\nelement rock 99999999999999999\nend_header\n", APART_FILE,
     "a.ply:5: an element without properties"},
    {"ply\nformat ascii 1.0\nend_header\n", APART_EMPTY,
     "a.ply:4: the header has no element vertex: the file holds no points"},
};

// Every file is refused with its own sentence.
static void damage_is_named(void** state) {
    (void)state;
    for (size_t i = 0; i < COUNT(damaged); i++) {
        const struct damage* d = &damaged[i];
        apart_io_mesh mesh;
        apart_error error = {0};
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(d->message, ":"), d->message);
        const apart_status status = parse_copy(name, d->text, strlen(d->text), &mesh, &error);
        assert_string_equal(error.message, d->message);
        assert_int_equal(status, d->status);
        check_sane(name, status, &mesh, &error);
        // The same without anyone to tell.
        assert_int_equal(parse_copy(name, d->text, strlen(d->text), &mesh, NULL), d->status);
    }
    printf("%zu files\n", COUNT(damaged));
}

// The body of an ASCII PLY: damage after a header that is right.
static void ply_body_damage(void** state) {
    (void)state;
    static const struct {
        const char* body;
        const char* message;
    } zoo[] = {
        {"0 0 0\n", "a.ply:11: the file ends after 1 of 2 items; it may be cut off"},
        {"0 0\n", "a.ply:10: the line ends where the z coordinate should be"},
        {"0 0 0 0\n", "a.ply:10: expected the end of the line, found '0'"},
        {"0 0 0\n1 1 1\n", "a.ply:12: the file ends after 0 of 1 items; it may be cut off"},
        {"0 0 0\n1 1 1\n3 0 1 2\n", "a.ply:12: vertex 2 does not exist; the file has 2, counted from 0"},
        {"0 0 0\n1 1 1\n3 0 1 -1\n", "a.ply:12: the index of a vertex is -1; it must be a whole number, 0 or more"},
        {"0 0 0\n1 1 1\n3 0 1 0.5\n", "a.ply:12: the index of a vertex is 0.5; it must be a whole number, 0 or more"},
        {"0 0 0\n1 1 1\n2 0 1\n", "a.ply:12: a face of 2 corners; it needs at least 3"},
        {"0 0 0\n1 1 1\n4000000000 0 1\n", "a.ply:12: the line ends where the index of a vertex should be"},
    };
    for (size_t i = 0; i < COUNT(zoo); i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s",
                 "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty double z\n"
                 "element face 1\nproperty list uchar int vertex_index\nend_header\n",
                 zoo[i].body);
        apart_io_mesh mesh;
        apart_error error = {0};
        assert_int_equal(parse_copy("a.ply", text, strlen(text), &mesh, &error), APART_FILE);
        assert_string_equal(error.message, zoo[i].message);
    }
}

// In binary files the place is a byte.
static void binary_damage(void** state) {
    (void)state;
    sample* samples = make_samples();
    apart_io_mesh mesh;
    apart_error error;
    sample* stl = &samples[6];
    assert_int_equal(parse_copy("a.stl", stl->bytes, stl->size - 1, &mesh, &error), APART_FILE);
    assert_string_equal(error.message,
                        "a.stl: byte 683: a binary STL of 12 triangles has 684 bytes, this file 683; write it again");
    stl->bytes[80] = 11;
    assert_int_equal(parse_copy("a.stl", stl->bytes, stl->size, &mesh, &error), APART_FILE);
    assert_string_equal(error.message,
                        "a.stl: byte 634: a binary STL of 11 triangles has 634 bytes, this file 684; write it again");
    stl->bytes[80] = 12;
    memset(stl->bytes + 84 + 50 + 24, 0xff, 4);
    assert_int_equal(parse_copy("a.stl", stl->bytes, stl->size, &mesh, &error), APART_NOT_FINITE);
    assert_string_equal(error.message,
                        "a.stl: byte 158: a corner of triangle 1 is not finite; every coordinate must be");

    sample* ply = &samples[4];
    const size_t data = ply->size - 8 * 13 - 9 - 6 * 18;
    assert_int_equal(parse_copy("a.ply", ply->bytes, ply->size - 1, &mesh, &error), APART_FILE);
    char expected[120];
    snprintf(expected, sizeof expected, "a.ply: byte %zu: the file ends inside its data; it may be cut off",
             ply->size - 1);
    assert_string_equal(error.message, expected);
    memset(ply->bytes + data + 13, 0xff, 4);
    assert_int_equal(parse_copy("a.ply", ply->bytes, ply->size, &mesh, &error), APART_NOT_FINITE);
    snprintf(expected, sizeof expected, "a.ply: byte %zu: the x coordinate is not finite; every coordinate must be",
             data + 13);
    assert_string_equal(error.message, expected);
    free(samples);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_named),
        cmocka_unit_test(ply_body_damage),
        cmocka_unit_test(binary_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
