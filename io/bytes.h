// Numbers out of bytes, whatever the order of the machine. The caller has checked that the bytes are there.
#ifndef APART_IO_BYTES_H
#define APART_IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// An unsigned number of `size` bytes, 1 to 8.
static inline uint64_t bytes_unsigned(const char* at, size_t size, bool big_endian) {
    uint64_t out = 0;
    for (size_t i = 0; i < size; i++) out = out << 8 | (unsigned char)at[big_endian ? i : size - 1 - i];
    return out;
}

/// An IEEE single.
static inline float bytes_float(const char* at, bool big_endian) {
    const uint32_t bits = (uint32_t)bytes_unsigned(at, 4, big_endian);
    float out = 0;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/// An IEEE double.
static inline double bytes_double(const char* at, bool big_endian) {
    const uint64_t bits = bytes_unsigned(at, 8, big_endian);
    double out = 0;
    memcpy(&out, &bits, sizeof out);
    return out;
}

#endif
