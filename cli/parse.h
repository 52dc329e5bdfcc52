// Words of the command line: numbers, poses, methods, shapes.
#ifndef APART_CLI_PARSE_H
#define APART_CLI_PARSE_H

#include "apart/apart.h"

/// One finite number and nothing else.
bool parse_number(const char* text, double* out);

/// Numbers separated by commas, blanks or line ends. Returns how many there are (also if more than `room`), or -1 and a
/// sentence in *error.
int parse_numbers(const char* text, double* out, int room, apart_error* error);

/// A pose of 3 (x,y,z), 6 (x,y,z,roll,pitch,yaw), 7 (x,y,z,qx,qy,qz,qw) or 16 numbers (4x4, row by row).
bool parse_pose(const char* text, apart_pose* out, apart_error* error);

/// auto, gjk, enhanced, features or spheres.
bool parse_method(const char* text, apart_method* out);
const char* method_name(apart_method method);

/// none, bound or exact.
bool parse_depth(const char* text, apart_depth* out);

/// Whether the text names a shape ("box:..."). If so, *kind is its name (a constant), and the shape is made: *shape, or
/// NULL and a sentence in *error. points:FILE is not among them.
bool parse_shape(const char* text, const char** kind, apart_shape** shape, apart_error* error);

/// The forms of shapes, for sentences.
#define PARSE_SHAPES                                                                                                   \
    "box:HX,HY,HZ[,R], sphere:R, capsule:H,R, cylinder:H,R, cone:H,R, ellipsoid:X,Y,Z, ground:Z, halfspace:NX,NY,NZ,D"

/// Whether the text looks like a shape, perhaps a mistyped one: letters and a colon, or just the name of one.
bool parse_resembles_shape(const char* text);

/// Factors of x, y and z: three numbers, or one for all. None may be 0.
bool parse_scale(const char* text, double out[3], apart_error* error);

#endif
