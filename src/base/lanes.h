// Eight doubles at a time. The same operations three times: AVX-512, AVX2, and two at a time for every other machine.
// Each lane is an IEEE double and every operation is rounded once, so that all three give the same bits.
//
// A file that includes this is compiled once per instruction set, with the compiler flags that choose the section.
#ifndef APART_BASE_LANES_H
#define APART_BASE_LANES_H

#include <stdint.h>

#define LANE_COUNT 8

#ifdef __has_feature // clang
#define LANES_HAS(feature) __has_feature(feature)
#else
#define LANES_HAS(feature) 0
#endif

// Under a sanitizer the plain loops, all in one place, would take the compiler minutes.
#if (defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || LANES_HAS(address_sanitizer) ||                  \
     LANES_HAS(thread_sanitizer)) &&                                                                                   \
    !defined(__AVX2__)
#define LANES_INLINE static inline
#else
#define LANES_INLINE static inline __attribute__((always_inline))
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__)

#include <immintrin.h>

typedef __m512d lanes;
typedef __mmask8 lanes_mask;

LANES_INLINE lanes lanes_all(double x) { return _mm512_set1_pd(x); }
LANES_INLINE lanes lanes_load(const double* p) { return _mm512_loadu_pd(p); }
LANES_INLINE lanes lanes_load_float(const float* p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
LANES_INLINE void lanes_store(double* p, lanes a) { _mm512_storeu_pd(p, a); }
/// Eight numbers of places, from doubles that are whole numbers; what is at these places.
typedef __m256i lanes_index;
LANES_INLINE lanes_index lanes_index_of(lanes a) { return _mm512_cvttpd_epi32(a); }
LANES_INLINE void lanes_index_store(uint32_t* p, lanes_index i) { _mm256_storeu_si256((__m256i*)p, i); }
// Without optimization gcc has this as a macro, with a mask of the wrong sign in it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
LANES_INLINE lanes lanes_gather(const double* p, lanes_index i) { return _mm512_i32gather_pd(i, p, 8); }
#pragma GCC diagnostic pop
/// The same of places in the order of an array, one by one: sooner there than by a gather.
LANES_INLINE lanes lanes_at(const double* p, const uint16_t* i) {
    return _mm512_set_pd(p[i[7]], p[i[6]], p[i[5]], p[i[4]], p[i[3]], p[i[2]], p[i[1]], p[i[0]]);
}
LANES_INLINE lanes lanes_add(lanes a, lanes b) { return _mm512_add_pd(a, b); }
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { return _mm512_sub_pd(a, b); }
LANES_INLINE lanes lanes_mul(lanes a, lanes b) { return _mm512_mul_pd(a, b); }
LANES_INLINE lanes lanes_div(lanes a, lanes b) { return _mm512_div_pd(a, b); }
LANES_INLINE lanes lanes_sqrt(lanes a) { return _mm512_sqrt_pd(a); }
LANES_INLINE lanes lanes_abs(lanes a) { return _mm512_abs_pd(a); }
LANES_INLINE lanes lanes_max(lanes a, lanes b) { return _mm512_max_pd(a, b); }
LANES_INLINE lanes lanes_min(lanes a, lanes b) { return _mm512_min_pd(a, b); }
LANES_INLINE lanes_mask lanes_less(lanes a, lanes b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
LANES_INLINE lanes_mask lanes_equal(lanes a, lanes b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
LANES_INLINE lanes_mask lanes_both(lanes_mask a, lanes_mask b) { return (lanes_mask)(a & b); }
LANES_INLINE lanes_mask lanes_either(lanes_mask a, lanes_mask b) { return (lanes_mask)(a | b); }
/// a and not b.
LANES_INLINE lanes_mask lanes_except(lanes_mask a, lanes_mask b) { return (lanes_mask)(a & ~b); }
LANES_INLINE lanes lanes_choose(lanes_mask m, lanes a, lanes b) { return _mm512_mask_blend_pd(m, b, a); }
/// Bit i: lane i.
LANES_INLINE unsigned lanes_bits(lanes_mask m) { return m; }
LANES_INLINE lanes lanes_of_halves(__m256d low, __m256d high) {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}
LANES_INLINE __m256d lanes_half(lanes a, int i) {
    return i == 0 ? _mm512_castpd512_pd256(a) : _mm512_extractf64x4_pd(a, 1);
}
/// The largest lane, in every lane. Not for NaN.
LANES_INLINE lanes lanes_largest(lanes a) {
    a = _mm512_max_pd(a, _mm512_shuffle_f64x2(a, a, 0x4e));
    a = _mm512_max_pd(a, _mm512_shuffle_f64x2(a, a, 0xb1));
    return _mm512_max_pd(a, _mm512_permute_pd(a, 0x55));
}

#elif defined(__AVX2__)

#include <immintrin.h>

typedef struct lanes {
    __m256d low, high;
} lanes;
typedef lanes lanes_mask;

#define LANES_EACH(operation)                                                                                          \
    return (lanes) { operation(a.low, b.low), operation(a.high, b.high) }

LANES_INLINE lanes lanes_all(double x) { return (lanes){_mm256_set1_pd(x), _mm256_set1_pd(x)}; }
LANES_INLINE lanes lanes_load(const double* p) { return (lanes){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)}; }
LANES_INLINE lanes lanes_load_float(const float* p) {
    return (lanes){_mm256_cvtps_pd(_mm_loadu_ps(p)), _mm256_cvtps_pd(_mm_loadu_ps(p + 4))};
}
LANES_INLINE void lanes_store(double* p, lanes a) {
    _mm256_storeu_pd(p, a.low);
    _mm256_storeu_pd(p + 4, a.high);
}
typedef struct lanes_index {
    __m128i low, high;
} lanes_index;
LANES_INLINE lanes_index lanes_index_of(lanes a) {
    return (lanes_index){_mm256_cvttpd_epi32(a.low), _mm256_cvttpd_epi32(a.high)};
}
LANES_INLINE void lanes_index_store(uint32_t* p, lanes_index i) {
    _mm_storeu_si128((__m128i*)p, i.low);
    _mm_storeu_si128((__m128i*)(p + 4), i.high);
}
LANES_INLINE lanes lanes_gather(const double* p, lanes_index i) {
    return (lanes){_mm256_i32gather_pd(p, i.low, 8), _mm256_i32gather_pd(p, i.high, 8)};
}
LANES_INLINE lanes lanes_at(const double* p, const uint16_t* i) {
    return (lanes){_mm256_set_pd(p[i[3]], p[i[2]], p[i[1]], p[i[0]]),
                   _mm256_set_pd(p[i[7]], p[i[6]], p[i[5]], p[i[4]])};
}
LANES_INLINE lanes lanes_add(lanes a, lanes b) { LANES_EACH(_mm256_add_pd); }
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { LANES_EACH(_mm256_sub_pd); }
LANES_INLINE lanes lanes_mul(lanes a, lanes b) { LANES_EACH(_mm256_mul_pd); }
LANES_INLINE lanes lanes_div(lanes a, lanes b) { LANES_EACH(_mm256_div_pd); }
LANES_INLINE lanes lanes_max(lanes a, lanes b) { LANES_EACH(_mm256_max_pd); }
LANES_INLINE lanes lanes_min(lanes a, lanes b) { LANES_EACH(_mm256_min_pd); }
LANES_INLINE lanes_mask lanes_both(lanes_mask a, lanes_mask b) { LANES_EACH(_mm256_and_pd); }
LANES_INLINE lanes_mask lanes_either(lanes_mask a, lanes_mask b) { LANES_EACH(_mm256_or_pd); }
LANES_INLINE lanes_mask lanes_except(lanes_mask b, lanes_mask a) { LANES_EACH(_mm256_andnot_pd); }
LANES_INLINE lanes lanes_sqrt(lanes a) { return (lanes){_mm256_sqrt_pd(a.low), _mm256_sqrt_pd(a.high)}; }
LANES_INLINE lanes lanes_abs(lanes a) {
    const __m256d sign = _mm256_set1_pd(-0.0);
    return (lanes){_mm256_andnot_pd(sign, a.low), _mm256_andnot_pd(sign, a.high)};
}
LANES_INLINE lanes_mask lanes_less(lanes a, lanes b) {
    return (lanes){_mm256_cmp_pd(a.low, b.low, _CMP_LT_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_LT_OQ)};
}
LANES_INLINE lanes_mask lanes_equal(lanes a, lanes b) {
    return (lanes){_mm256_cmp_pd(a.low, b.low, _CMP_EQ_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_EQ_OQ)};
}
LANES_INLINE lanes lanes_choose(lanes_mask m, lanes a, lanes b) {
    return (lanes){_mm256_blendv_pd(b.low, a.low, m.low), _mm256_blendv_pd(b.high, a.high, m.high)};
}
LANES_INLINE unsigned lanes_bits(lanes_mask m) {
    return (unsigned)_mm256_movemask_pd(m.low) | (unsigned)_mm256_movemask_pd(m.high) << 4;
}
LANES_INLINE lanes lanes_of_halves(__m256d low, __m256d high) { return (lanes){low, high}; }
LANES_INLINE __m256d lanes_half(lanes a, int i) { return i == 0 ? a.low : a.high; }
LANES_INLINE lanes lanes_largest(lanes a) {
    __m256d v = _mm256_max_pd(a.low, a.high);
    v = _mm256_max_pd(v, _mm256_permute2f128_pd(v, v, 1));
    v = _mm256_max_pd(v, _mm256_permute_pd(v, 5));
    return (lanes){v, v};
}

#else

#include <math.h>

// Two at a time, in a form that every compiler turns into the best that its machine has.
typedef double lanes_two __attribute__((vector_size(16)));
typedef long long lanes_two_bits __attribute__((vector_size(16))); // of a mask: all or none
typedef struct lanes {
    lanes_two at[LANE_COUNT / 2];
} lanes;
typedef struct lanes_mask {
    lanes_two_bits at[LANE_COUNT / 2];
} lanes_mask;

#define LANES_EACH(type, expression)                                                                                   \
    type r;                                                                                                            \
    for (long i = 0; i < LANE_COUNT / 2; ++i) r.at[i] = (expression);                                                  \
    return r
#define LANES_BITS(a) ((lanes_two_bits)(a))

LANES_INLINE lanes lanes_all(double x) { LANES_EACH(lanes, ((lanes_two){x, x})); }
LANES_INLINE lanes lanes_load(const double* p) { LANES_EACH(lanes, ((lanes_two){p[2 * i], p[2 * i + 1]})); }
LANES_INLINE lanes lanes_load_float(const float* p) {
    LANES_EACH(lanes, ((lanes_two){(double)p[2 * i], (double)p[2 * i + 1]}));
}
LANES_INLINE void lanes_store(double* p, lanes a) {
    for (int i = 0; i < LANE_COUNT; ++i) p[i] = a.at[i / 2][i % 2];
}
typedef struct lanes_index {
    int at[LANE_COUNT];
} lanes_index;
LANES_INLINE lanes_index lanes_index_of(lanes a) {
    lanes_index r;
    for (int i = 0; i < LANE_COUNT; ++i) r.at[i] = (int)a.at[i / 2][i % 2];
    return r;
}
LANES_INLINE void lanes_index_store(uint32_t* p, lanes_index k) {
    for (int i = 0; i < LANE_COUNT; ++i) p[i] = (uint32_t)k.at[i];
}
LANES_INLINE lanes lanes_gather(const double* p, lanes_index k) {
    LANES_EACH(lanes, ((lanes_two){p[k.at[2 * i]], p[k.at[2 * i + 1]]}));
}
LANES_INLINE lanes lanes_at(const double* p, const uint16_t* k) {
    LANES_EACH(lanes, ((lanes_two){p[k[2 * i]], p[k[2 * i + 1]]}));
}
LANES_INLINE lanes lanes_add(lanes a, lanes b) { LANES_EACH(lanes, a.at[i] + b.at[i]); }
LANES_INLINE lanes lanes_sub(lanes a, lanes b) { LANES_EACH(lanes, a.at[i] - b.at[i]); }
LANES_INLINE lanes lanes_mul(lanes a, lanes b) { LANES_EACH(lanes, a.at[i] * b.at[i]); }
LANES_INLINE lanes lanes_div(lanes a, lanes b) { LANES_EACH(lanes, a.at[i] / b.at[i]); }
LANES_INLINE lanes lanes_sqrt(lanes a) { LANES_EACH(lanes, ((lanes_two){sqrt(a.at[i][0]), sqrt(a.at[i][1])})); }
LANES_INLINE lanes lanes_abs(lanes a) {
    const lanes_two sign = {-0.0, -0.0};
    LANES_EACH(lanes, (lanes_two)(LANES_BITS(a.at[i]) & ~LANES_BITS(sign)));
}
LANES_INLINE lanes_mask lanes_less(lanes a, lanes b) { LANES_EACH(lanes_mask, LANES_BITS(a.at[i] < b.at[i])); }
LANES_INLINE lanes_mask lanes_equal(lanes a, lanes b) { LANES_EACH(lanes_mask, LANES_BITS(a.at[i] == b.at[i])); }
LANES_INLINE lanes_mask lanes_both(lanes_mask a, lanes_mask b) { LANES_EACH(lanes_mask, a.at[i] & b.at[i]); }
LANES_INLINE lanes_mask lanes_either(lanes_mask a, lanes_mask b) { LANES_EACH(lanes_mask, a.at[i] | b.at[i]); }
LANES_INLINE lanes_mask lanes_except(lanes_mask a, lanes_mask b) { LANES_EACH(lanes_mask, a.at[i] & ~b.at[i]); }
LANES_INLINE lanes lanes_choose(lanes_mask m, lanes a, lanes b) {
    LANES_EACH(lanes, (lanes_two)((m.at[i] & LANES_BITS(a.at[i])) | (~m.at[i] & LANES_BITS(b.at[i]))));
}
// As the machine instructions do it: the second one if neither is larger (smaller).
LANES_INLINE lanes lanes_max(lanes a, lanes b) { return lanes_choose(lanes_less(b, a), a, b); }
LANES_INLINE lanes lanes_min(lanes a, lanes b) { return lanes_choose(lanes_less(a, b), a, b); }
LANES_INLINE unsigned lanes_bits(lanes_mask m) {
    unsigned bits = 0;
    for (int i = 0; i < LANE_COUNT; ++i) bits |= (unsigned)(m.at[i / 2][i % 2] & 1) << i;
    return bits;
}
LANES_INLINE lanes lanes_largest(lanes a) {
    double most = a.at[0][0];
    for (int i = 1; i < LANE_COUNT; ++i) most = a.at[i / 2][i % 2] > most ? a.at[i / 2][i % 2] : most;
    return lanes_all(most);
}

#endif

/// The number of the lowest lane, the first one on a tie. Not for NaN.
LANES_INLINE unsigned lanes_lowest(lanes a) {
    const lanes negated = lanes_sub(lanes_all(0), a);
    const unsigned equal = lanes_bits(lanes_equal(negated, lanes_largest(negated)));
    return equal ? (unsigned)__builtin_ctz(equal) : 0;
}

#if defined(__AVX2__)

LANES_INLINE void lanes_transpose(__m256d r[4]) {
    __m256d a = _mm256_unpacklo_pd(r[0], r[1]), b = _mm256_unpackhi_pd(r[0], r[1]);
    __m256d c = _mm256_unpacklo_pd(r[2], r[3]), d = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(a, c, 0x20);
    r[1] = _mm256_permute2f128_pd(b, d, 0x20);
    r[2] = _mm256_permute2f128_pd(a, c, 0x31);
    r[3] = _mm256_permute2f128_pd(b, d, 0x31);
}
/// Four numbers from each of eight places: the k-th ones become r[k].
LANES_INLINE void lanes_load_four(const double* const from[LANE_COUNT], lanes r[4]) {
    __m256d low[4], high[4];
    for (int i = 0; i < 4; ++i) {
        low[i] = _mm256_loadu_pd(from[i]);
        high[i] = _mm256_loadu_pd(from[4 + i]);
    }
    lanes_transpose(low);
    lanes_transpose(high);
    for (int i = 0; i < 4; ++i) r[i] = lanes_of_halves(low[i], high[i]);
}
/// And back to eight places.
LANES_INLINE void lanes_store_four(double* const to[LANE_COUNT], lanes p, lanes q, lanes r, lanes s) {
    for (int half = 0; half < 2; ++half) {
        __m256d row[4] = {lanes_half(p, half), lanes_half(q, half), lanes_half(r, half), lanes_half(s, half)};
        lanes_transpose(row);
        for (int i = 0; i < 4; ++i) _mm256_storeu_pd(to[4 * half + i], row[i]);
    }
}

#else

LANES_INLINE void lanes_load_four(const double* const from[LANE_COUNT], lanes r[4]) {
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < LANE_COUNT; ++i) r[k].at[i / 2][i % 2] = from[i][k];
}
LANES_INLINE void lanes_store_four(double* const to[LANE_COUNT], lanes p, lanes q, lanes r, lanes s) {
    for (int i = 0; i < LANE_COUNT; ++i) {
        to[i][0] = p.at[i / 2][i % 2];
        to[i][1] = q.at[i / 2][i % 2];
        to[i][2] = r.at[i / 2][i % 2];
        to[i][3] = s.at[i / 2][i % 2];
    }
}

#endif

// Small vectors of lanes.
typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

LANES_INLINE lanes3 lanes3_sub(lanes3 a, lanes3 b) {
    return (lanes3){lanes_sub(a.x, b.x), lanes_sub(a.y, b.y), lanes_sub(a.z, b.z)};
}
LANES_INLINE lanes3 lanes3_add(lanes3 a, lanes3 b) {
    return (lanes3){lanes_add(a.x, b.x), lanes_add(a.y, b.y), lanes_add(a.z, b.z)};
}
LANES_INLINE lanes lanes3_dot(lanes3 a, lanes3 b) {
    return lanes_add(lanes_add(lanes_mul(a.x, b.x), lanes_mul(a.y, b.y)), lanes_mul(a.z, b.z));
}
LANES_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b) {
    return (lanes3){lanes_sub(lanes_mul(a.y, b.z), lanes_mul(a.z, b.y)),
                    lanes_sub(lanes_mul(a.z, b.x), lanes_mul(a.x, b.z)),
                    lanes_sub(lanes_mul(a.x, b.y), lanes_mul(a.y, b.x))};
}
/// a + s b
LANES_INLINE lanes3 lanes3_mad(lanes3 a, lanes s, lanes3 b) {
    return (lanes3){lanes_add(a.x, lanes_mul(s, b.x)), lanes_add(a.y, lanes_mul(s, b.y)),
                    lanes_add(a.z, lanes_mul(s, b.z))};
}
LANES_INLINE lanes3 lanes3_choose(lanes_mask m, lanes3 a, lanes3 b) {
    return (lanes3){lanes_choose(m, a.x, b.x), lanes_choose(m, a.y, b.y), lanes_choose(m, a.z, b.z)};
}
/// Between 0 and 1.
LANES_INLINE lanes lanes_clamp(lanes a) { return lanes_min(lanes_max(a, lanes_all(0)), lanes_all(1)); }

#endif
