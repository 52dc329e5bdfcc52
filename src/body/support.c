// The support mapping: the farthest point of a body along a direction, s_K in Gilbert, Johnson, Keerthi 1988, sec. III.
//
// A polytope with few vertices is searched through: all products at once, in SIMD lanes. A large one is climbed: from
// a start vertex always on to the best neighbour (Cameron 1997, sec. 3), the start being the last answer or, if that
// is better, a vertex remembered for this direction in a small table. Bodies without corners have closed forms.
//
// Every kernel computes ((x dx) + (y dy)) + (z dz) in this order without fused operations and prefers the lowest
// index, so that all of them return the same vertex.
#include "body/shape.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_AVX 1
#include <immintrin.h>
#else
#define HAS_AVX 0
#endif

// -------------------------------------------------------------------------------------------- all vertices ----

uint32_t apart_support_argmax_scalar(const double* x, const double* y, const double* z, uint32_t padded,
                                     const vec3* d) {
    uint32_t best = 0;
    double most = x[0] * d->x + y[0] * d->y + z[0] * d->z;
    for (uint32_t i = 1; i < padded; i++) {
        double value = x[i] * d->x + y[i] * d->y + z[i] * d->z;
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

#if HAS_AVX
// Up to 64 vertices: all products, their maximum, and one bit for each product that equals it; the lowest bit is the
// answer. Above that the index of each lane's maximum is carried along.
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))
#define MASK_BITS 64

AVX2 static inline __m256d dot4(const double* x, const double* y, const double* z, const __m256d d[3]) {
    __m256d xy = _mm256_add_pd(_mm256_mul_pd(_mm256_load_pd(x), d[0]), _mm256_mul_pd(_mm256_load_pd(y), d[1]));
    return _mm256_add_pd(xy, _mm256_mul_pd(_mm256_load_pd(z), d[2]));
}

/// The largest lane, in every lane.
AVX2 static inline __m256d largest4(__m256d v) {
    v = _mm256_max_pd(v, _mm256_permute2f128_pd(v, v, 1));
    return _mm256_max_pd(v, _mm256_permute_pd(v, 5));
}

/// One bit per lane that equals `most`.
AVX2 static inline uint64_t equal4(__m256d v, __m256d most) {
    return (uint64_t)_mm256_movemask_pd(_mm256_cmp_pd(v, most, _CMP_EQ_OQ));
}

/// Eight vertices in two registers.
AVX2 static uint32_t argmax_avx2_8(const double* x, const double* y, const double* z, uint32_t padded,
                                   const vec3* direction) {
    (void)padded;
    __m256d d[3] = {_mm256_set1_pd(direction->x), _mm256_set1_pd(direction->y), _mm256_set1_pd(direction->z)};
    __m256d low = dot4(x, y, z, d), high = dot4(x + 4, y + 4, z + 4, d);
    __m256d most = largest4(_mm256_max_pd(low, high));
    return (uint32_t)__builtin_ctzll(equal4(low, most) | equal4(high, most) << 4);
}

AVX2 static uint32_t argmax_avx2_64(const double* x, const double* y, const double* z, uint32_t padded,
                                    const vec3* direction) {
    __m256d d[3] = {_mm256_set1_pd(direction->x), _mm256_set1_pd(direction->y), _mm256_set1_pd(direction->z)};
    __m256d v[MASK_BITS / 4], low = dot4(x, y, z, d), high = dot4(x + 4, y + 4, z + 4, d);
    v[0] = low;
    v[1] = high;
    for (uint32_t i = 8; i < padded; i += 8) {
        v[i / 4] = dot4(x + i, y + i, z + i, d);
        v[i / 4 + 1] = dot4(x + i + 4, y + i + 4, z + i + 4, d);
        low = _mm256_max_pd(low, v[i / 4]);
        high = _mm256_max_pd(high, v[i / 4 + 1]);
    }
    __m256d most = largest4(_mm256_max_pd(low, high));
    uint64_t bits = 0;
    for (uint32_t i = 0; i < padded; i += 4) bits |= equal4(v[i / 4], most) << i;
    return (uint32_t)__builtin_ctzll(bits);
}

/// Larger value, or the same value at a lower index.
AVX2 static inline void merge4(__m256d* value, __m256i* index, __m256d other_value, __m256i other_index) {
    __m256d more = _mm256_cmp_pd(other_value, *value, _CMP_GT_OQ);
    __m256d same = _mm256_cmp_pd(other_value, *value, _CMP_EQ_OQ);
    __m256d before = _mm256_castsi256_pd(_mm256_cmpgt_epi64(*index, other_index));
    __m256d take = _mm256_or_pd(more, _mm256_and_pd(same, before));
    *value = _mm256_blendv_pd(*value, other_value, take);
    *index = _mm256_blendv_epi8(*index, other_index, _mm256_castpd_si256(take));
}

AVX2 static uint32_t argmax_avx2(const double* x, const double* y, const double* z, uint32_t padded,
                                 const vec3* direction) {
    __m256d d[3] = {_mm256_set1_pd(direction->x), _mm256_set1_pd(direction->y), _mm256_set1_pd(direction->z)};
    __m256i now[2] = {_mm256_setr_epi64x(0, 1, 2, 3), _mm256_setr_epi64x(4, 5, 6, 7)};
    __m256i index[2] = {now[0], now[1]};
    __m256d value[2] = {dot4(x, y, z, d), dot4(x + 4, y + 4, z + 4, d)};
    for (uint32_t i = 8; i < padded; i += 8) {
        for (size_t k = 0; k < 2; k++) {
            size_t first = i + 4 * k;
            __m256d v = dot4(x + first, y + first, z + first, d);
            __m256d more = _mm256_cmp_pd(v, value[k], _CMP_GT_OQ);
            now[k] = _mm256_add_epi64(now[k], _mm256_set1_epi64x(8));
            value[k] = _mm256_max_pd(value[k], v);
            index[k] = _mm256_blendv_epi8(index[k], now[k], _mm256_castpd_si256(more));
        }
    }
    merge4(&value[0], &index[0], value[1], index[1]);
    merge4(&value[0], &index[0], _mm256_permute2f128_pd(value[0], value[0], 1),
           _mm256_permute2x128_si256(index[0], index[0], 1));
    merge4(&value[0], &index[0], _mm256_permute_pd(value[0], 5), _mm256_shuffle_epi32(index[0], 0x4e));
    return (uint32_t)_mm256_extract_epi64(index[0], 0);
}

AVX512 static inline __m512d dot8(const double* x, const double* y, const double* z, const __m512d d[3]) {
    __m512d xy = _mm512_add_pd(_mm512_mul_pd(_mm512_load_pd(x), d[0]), _mm512_mul_pd(_mm512_load_pd(y), d[1]));
    return _mm512_add_pd(xy, _mm512_mul_pd(_mm512_load_pd(z), d[2]));
}

/// The largest lane, in every lane.
AVX512 static inline __m512d largest8(__m512d v) {
    v = _mm512_max_pd(v, _mm512_shuffle_f64x2(v, v, 0x4e));
    v = _mm512_max_pd(v, _mm512_shuffle_f64x2(v, v, 0xb1));
    return _mm512_max_pd(v, _mm512_permute_pd(v, 0x55));
}

AVX512 static uint32_t argmax_avx512_64(const double* x, const double* y, const double* z, uint32_t padded,
                                        const vec3* direction) {
    __m512d d[3] = {_mm512_set1_pd(direction->x), _mm512_set1_pd(direction->y), _mm512_set1_pd(direction->z)};
    __m512d v[MASK_BITS / 8], most = dot8(x, y, z, d);
    v[0] = most;
    for (uint32_t i = 8; i < padded; i += 8) {
        v[i / 8] = dot8(x + i, y + i, z + i, d);
        most = _mm512_max_pd(most, v[i / 8]);
    }
    most = largest8(most);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < padded; i += 8) bits |= (uint64_t)_mm512_cmp_pd_mask(v[i / 8], most, _CMP_EQ_OQ) << i;
    return (uint32_t)__builtin_ctzll(bits);
}

/// Lanes of maxima with the indices that they came from.
typedef struct best8 {
    __m512d value;
    __m512i index;
} best8;

/// Takes the lanes of v, with these indices, that are larger. Indices come in ascending order, so that the first stays.
AVX512 static inline void raise8(best8* best, __m512d v, __m512i index) {
    __mmask8 more = _mm512_cmp_pd_mask(v, best->value, _CMP_GT_OQ);
    best->value = _mm512_mask_mov_pd(best->value, more, v);
    best->index = _mm512_mask_mov_epi64(best->index, more, index);
}

AVX512 static uint32_t argmax_avx512(const double* x, const double* y, const double* z, uint32_t padded,
                                     const vec3* direction) {
    __m512d d[3] = {_mm512_set1_pd(direction->x), _mm512_set1_pd(direction->y), _mm512_set1_pd(direction->z)};
    const __m512i step = _mm512_set1_epi64(16);
    __m512i even = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), odd = _mm512_add_epi64(even, _mm512_set1_epi64(8));
    best8 a = {dot8(x, y, z, d), even}, b = a;
    // Two independent chains, over the even and the odd blocks of eight; the first block counts twice, harmlessly.
    uint32_t i = 0;
    for (; i + 16 <= padded; i += 16) {
        raise8(&a, dot8(x + i, y + i, z + i, d), even);
        raise8(&b, dot8(x + i + 8, y + i + 8, z + i + 8, d), odd);
        even = _mm512_add_epi64(even, step);
        odd = _mm512_add_epi64(odd, step);
    }
    if (i < padded) raise8(&a, dot8(x + i, y + i, z + i, d), even);
    // The lowest index among all lanes that reach the maximum.
    __m512d most = largest8(_mm512_max_pd(a.value, b.value));
    uint64_t first = _mm512_mask_reduce_min_epu64(_mm512_cmp_pd_mask(a.value, most, _CMP_EQ_OQ), a.index);
    uint64_t second = _mm512_mask_reduce_min_epu64(_mm512_cmp_pd_mask(b.value, most, _CMP_EQ_OQ), b.index);
    return (uint32_t)(first < second ? first : second);
}
#endif

argmax_fn apart_support_kernel(int index, uint32_t padded) {
#if HAS_AVX
    bool avx2 = __builtin_cpu_supports("avx2"), avx512 = __builtin_cpu_supports("avx512f");
    if (avx2 && padded == LANES && index-- == 0) return argmax_avx2_8;
    if (avx512 && padded <= MASK_BITS && index-- == 0) return argmax_avx512_64;
    if (avx2 && padded <= MASK_BITS && index-- == 0) return argmax_avx2_64;
    if (avx512 && index-- == 0) return argmax_avx512;
    if (avx2 && index-- == 0) return argmax_avx2;
#endif
    (void)padded;
    return index == 0 ? apart_support_argmax_scalar : NULL;
}

// ------------------------------------------------------------------------------------------------ hill climbing ----

static inline double height(const polytope* p, uint32_t i, vec3 d) {
    return p->x[i] * d.x + p->y[i] * d.y + p->z[i] * d.z;
}

uint32_t apart_support_seed_cell(uint32_t cells, vec3 d) {
    double ax = fabs(d.x), ay = fabs(d.y), az = fabs(d.z);
    // The side of the cube that d leaves through, and where: u and v between -1 and 1.
    uint32_t side = 0;
    double main = d.x, u = d.y, v = d.z;
    if (ay > ax && ay >= az) {
        side = 2, main = d.y, u = d.z, v = d.x;
    } else if (az > ax) {
        side = 4, main = d.z, u = d.x, v = d.y;
    }
    if (main == 0) return 0;
    side += main < 0;
    main = fabs(main);
    double half = 0.5 * cells;
    uint32_t column = (uint32_t)((u / main + 1) * half), row = (uint32_t)((v / main + 1) * half);
    if (column >= cells) column = cells - 1;
    if (row >= cells) row = cells - 1;
    return (side * cells + row) * cells + column;
}

/// Vertices this little below the top, in stored units times |d| <= 4, may be on the way to a higher one: twice the
/// flatness of faces that polytope.c allows, 2 * 4 * 16 u, and the rounding of two products, 2 * 3 * 4 u, together
/// below 256 u with u = 2^-53.
#define PLATEAU 0x1p-45
/// How many of them are followed one by one; beyond that a look at all vertices is cheaper.
#define PLATEAU_SIZE 16

/// Looks around from vertex `at`, through vertices at most PLATEAU lower, for a higher one, and returns it; `at` itself
/// if there is none. *done is set if the answer is known to be the highest of all.
static uint32_t look_around(const polytope* p, vec3 d, uint32_t at, int* visits, bool* done) {
    uint32_t list[PLATEAU_SIZE] = {at}, count = 1;
    double top = height(p, at, d);
    *done = true;
    for (uint32_t j = 0; j < count; j++) {
        uint32_t end = p->first[list[j] + 1];
        for (uint32_t k = p->first[list[j]]; k < end; k++, ++*visits) {
            uint32_t i = p->neighbour[k], known = 0;
            double value = height(p, i, d);
            if (value > top) {
                *done = false;
                return i;
            }
            if (!(value >= top - PLATEAU)) continue;
            while (known < count && list[known] != i) known++;
            if (known < count) continue;
            if (count == PLATEAU_SIZE) {
                *visits += (int)p->count;
                return p->argmax(p->x, p->y, p->z, p->padded, &d);
            }
            list[count++] = i;
        }
    }
    return at;
}

/// Climbs from vertex `at` to the top. Each step gains height, so that it ends.
static uint32_t climb(const polytope* p, vec3 d, uint32_t at, int* visits) {
    double top = height(p, at, d);
    for (;;) {
        uint32_t next = at, end = p->first[at + 1];
        double low = top - PLATEAU;
        bool level = false;
        *visits += (int)(end - p->first[at]);
        for (uint32_t k = p->first[at]; k < end; k++) {
            uint32_t i = p->neighbour[k];
            double value = height(p, i, d);
            level |= value >= low;
            if (value > top) {
                top = value;
                next = i;
            }
        }
        if (next == at) {
            // Alone at the top, as nearly always, or on a plateau.
            bool done = true;
            if (level) next = look_around(p, d, at, visits, &done);
            if (done) return next;
            top = height(p, next, d);
        }
        at = next;
    }
}

/// Where to start: the hint, the table's vertex, or the better of the two.
static uint32_t start(const polytope* p, vec3 d, support_search search, uint32_t hint, int* visits) {
    *visits = 1;
    if (search == SEARCH_CLIMB || p->seed_cells == 0) return hint < p->count ? hint : 0;
    uint32_t seed = p->seed[apart_support_seed_cell(p->seed_cells, d)];
    if (hint >= p->count || hint == seed) return seed;
    *visits = 2;
    return height(p, hint, d) >= height(p, seed, d) ? hint : seed;
}

static support_point polytope_support(const polytope* p, vec3 d, support_search search, uint32_t hint) {
    support_point s = {.visits = (int)p->count};
    bool all = search == SEARCH_LINEAR || !p->climbable || (search == SEARCH_BEST && p->count <= CLIMB_FROM);
    if (p->count == 1)
        s.vertex = 0;
    else if (all)
        s.vertex = p->argmax(p->x, p->y, p->z, p->padded, &d);
    else
        s.vertex = climb(p, d, start(p, d, search, hint, &s.visits), &s.visits);
    s.point = vec3_make(p->x[s.vertex], p->y[s.vertex], p->z[s.vertex]);
    return s;
}

// ------------------------------------------------------------------------------------------------ closed forms ----

/// Squares below this are too close to the end of the range to keep their digits. Lengths below its root are
/// negligible beside a direction of length 1/4.
#define TINY_SQUARE 0x1p-900

/// The farthest point of the circle of this radius about z, at height 0, and the value r |(dx, dy)|. The centre, which
/// is as good to rounding, if d has next to no component in the plane.
static vec3 circle_support(double radius, vec3 d, double* value) {
    double square = d.x * d.x + d.y * d.y;
    if (square < TINY_SQUARE) {
        *value = 0;
        return vec3_make(0, 0, 0);
    }
    double length = sqrt(square), stretch = radius / length;
    *value = radius * length;
    return vec3_make(stretch * d.x, stretch * d.y, 0);
}

static vec3 cylinder_support(vec3 extent, vec3 d) {
    double value;
    vec3 p = circle_support(extent.x, d, &value);
    p.z = d.z >= 0 ? extent.z : -extent.z;
    return p;
}

static vec3 cone_support(vec3 extent, vec3 d) {
    double rim;
    vec3 p = circle_support(extent.x, d, &rim);
    // Apex at height h: value h dz. Rim at height -h: value r |(dx, dy)| - h dz.
    if (extent.z * d.z >= rim - extent.z * d.z) return vec3_make(0, 0, extent.z);
    p.z = -extent.z;
    return p;
}

/// With E = diag(semi-axes) the ellipsoid is E times the unit ball, so its support point is E (E d / |E d|). The
/// centre, which is as good to rounding, if E d is next to nothing.
static vec3 ellipsoid_support(vec3 e, vec3 d) {
    vec3 w = vec3_make(e.x * d.x, e.y * d.y, e.z * d.z);
    double square = vec3_dot(w, w);
    if (square < TINY_SQUARE) return vec3_make(0, 0, 0);
    double inverse = 1 / sqrt(square);
    return vec3_make(e.x * (w.x * inverse), e.y * (w.y * inverse), e.z * (w.z * inverse));
}

/// The caller's function wants a unit vector; a direction without length becomes the x axis.
static vec3 caller_support(const apart_shape* shape, vec3 d) {
    double length = vec3_length(d);
    vec3 unit = length > 0 ? vec3_make(d.x / length, d.y / length, d.z / length) : vec3_make(1, 0, 0);
    return shape_to_stored(shape, shape->support(shape->context, unit));
}

static support_point box_support(vec3 extent, vec3 d) {
    support_point s = {.visits = 1};
    s.vertex = (uint32_t)(d.x >= 0) | (uint32_t)(d.y >= 0) << 1 | (uint32_t)(d.z >= 0) << 2;
    s.point =
        vec3_make(d.x >= 0 ? extent.x : -extent.x, d.y >= 0 ? extent.y : -extent.y, d.z >= 0 ? extent.z : -extent.z);
    return s;
}

support_point apart_support_find(const apart_shape* shape, vec3 d, support_search search, uint32_t hint) {
    support_point s = {.vertex = NO_VERTEX, .visits = 1};
    switch (shape->kind) {
    case SHAPE_POLYTOPE:
        return polytope_support(&shape->polytope, d, search, hint);
    case SHAPE_BOX:
        return box_support(shape->extent, d);
    case SHAPE_CYLINDER:
        s.point = cylinder_support(shape->extent, d);
        break;
    case SHAPE_CONE:
        s.point = cone_support(shape->extent, d);
        break;
    case SHAPE_ELLIPSOID:
        s.point = ellipsoid_support(shape->extent, d);
        break;
    case SHAPE_SUPPORT:
        s.point = caller_support(shape, d);
        break;
    case SHAPE_MESH:
    case SHAPE_UNION:
        break; // not convex: nobody asks
    }
    return s;
}
