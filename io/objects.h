// The objects of a file that has been read.
#ifndef APART_IO_OBJECTS_H
#define APART_IO_OBJECTS_H

#include "reader.h"

/// Takes the mesh of r apart along its marks. NULL, and the error is set, on failure. To be freed as the header says.
apart_io_object* objects_take_apart(reader* r, size_t* count);

#endif
