// What the header of a PLY file says.
#ifndef APART_IO_PLY_H
#define APART_IO_PLY_H

#include "reader.h"

typedef enum ply_encoding { PLY_ASCII, PLY_LITTLE_ENDIAN, PLY_BIG_ENDIAN } ply_encoding;

typedef enum ply_type {
    PLY_NONE,
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64
} ply_type;

/// What a property means to us.
typedef enum ply_role { PLY_SKIP, PLY_X, PLY_Y, PLY_Z, PLY_CORNERS } ply_role;

typedef struct ply_property {
    uint8_t type;       // ply_type of the value, or of each value in a list
    uint8_t count_type; // ply_type of the length in front of a list; PLY_NONE for a single value
    uint8_t role;       // ply_role
} ply_property;

typedef enum ply_kind { PLY_OTHER, PLY_VERTEX, PLY_FACE } ply_kind;

/// More of either is refused. Point clouds with 60 properties are in use.
enum { PLY_ELEMENTS = 16, PLY_PROPERTIES = 128 };

typedef struct ply_element {
    ply_kind kind;
    size_t count;
    size_t properties;
    ply_property property[PLY_PROPERTIES];
} ply_element;

typedef struct ply_header {
    ply_encoding encoding;
    size_t vertices; // the count of the vertex element
    size_t elements;
    ply_element element[PLY_ELEMENTS];
} ply_header;

/// The bytes of a value.
static inline size_t ply_type_size(uint8_t type) {
    static const uint8_t size[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return size[type];
}

/// Reads the header, up to the first byte of the data.
bool ply_read_header(reader* r, ply_header* header);

#endif
