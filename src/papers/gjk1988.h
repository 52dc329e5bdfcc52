// Johnson's distance subalgorithm: the point of a small simplex nearest the origin, from inner products alone.
// Gilbert, Johnson, Keerthi 1988, section V.
#ifndef APART_PAPERS_GJK1988_H
#define APART_PAPERS_GJK1988_H

#include "convex/simplex.h"

/// Finds the convex weights lambda[0..count-1] of the point of co{y_0, ...} nearest the origin; 0 = dropped. They are
/// finite, not negative, and sum to 1 within a few roundings. False if rounding left no subset that passes every test;
/// then lambda is untouched. dot[i][j] = y_i . y_j, symmetric, with at most four points of about unit size, the newest
/// last: its subsets are tried first.
bool apart_johnson_solve(int count, double dot[4][4], double* lambda);

/// The Backup Procedure (38): the shortest v among all subsets whose weights are positive. Always succeeds.
void apart_johnson_backup(int count, double dot[4][4], double* lambda);

/// The subalgorithm as a simplex_solver; again: by the Backup Procedure. vv is NAN if it fails.
nearest apart_johnson_nearest(const vec3* w, int count, bool again);

#endif
