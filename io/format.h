// Which format is it?
#ifndef APART_IO_FORMAT_H
#define APART_IO_FORMAT_H

#include "reader.h"

typedef bool (*read_fn)(reader* r);

/// The reader for the bytes at r->at; NULL if there is none, and then it is said in r->error why.
read_fn format_choose(reader* r);

/// Whether the bytes of r, of a stream that goes on, may begin a file that is read. If not, r->error says so.
bool format_may_begin(reader* r);

/// Steps over the mark that some editors put in front of UTF-8 text.
void format_pass_mark(reader* r);

#endif
