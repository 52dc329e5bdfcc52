// Johnson's distance subalgorithm: the point of a small simplex nearest the origin, from inner products alone.
// Gilbert, Johnson, Keerthi 1988, section V. It does not know the dimension of the space.
#ifndef APART_CONVEX_JOHNSON_H
#define APART_CONVEX_JOHNSON_H

/// The most points: one more than the largest dimension.
#define JOHNSON_MAX 9

/// Doubles in the working table for `count` points: a row of cofactors for each subset.
#define JOHNSON_TABLE(count) ((1 << (count)) * (count))

typedef enum johnson_outcome {
    JOHNSON_FOUND, // lambda is filled
    JOHNSON_FAILED // rounding left no subset that passes every test; lambda is untouched
} johnson_outcome;

/// Finds the convex weights lambda[0..count-1] of the point of co{y_0, ...} nearest the origin; 0 = dropped. They are
/// finite, not negative, and sum to 1 within a few roundings.
/// dot[i * stride + j] = y_i . y_j, symmetric, with points of about unit size (cofactors are products of up to 8
/// squares). newest: the point added last to a simplex that was already solved; its subsets are tried first. -1 if
/// there is none. table: the caller's working memory, JOHNSON_TABLE(count) doubles, any content.
johnson_outcome apart_johnson_solve(int count, const double* dot, int stride, int newest, double* table,
                                    double* lambda);

/// The Backup Procedure (38): the shortest v among all subsets whose weights are positive. Always succeeds.
void apart_johnson_backup(int count, const double* dot, int stride, double* table, double* lambda);

#endif
