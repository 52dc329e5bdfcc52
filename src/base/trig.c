// Sine and cosine: reduction by multiples of pi/2 in three parts (Cody and Waite 1980, with exact products), then
// Taylor. Arctangent: reduction by the angles whose tangent is 1/2, 1 or 2, then Taylor. z is the square of the
// argument of a series throughout. The bounds are derived here, and tested against quadruple precision.
#include "base/trig.h"

#include "base/exact.h"

// pi/2 to 160 bits, each part the double nearest to what those before leave.
static const double half_pi[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};

// (sin r - r) / r^3 and (cos r - 1 + z / 2) / z^2 for |r| <= 0.82: the first terms that are missing are below 0.01 u
// of the sine and 0.05 u of the cosine.
static double sine_tail(double z) {
    double t = 1.0 / 6227020800 + z * (-1.0 / 1307674368000 + z * (1.0 / 355687428096000));
    t = 1.0 / 362880 + z * (-1.0 / 39916800 + z * t);
    return -1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * t));
}
static double cosine_tail(double z) {
    double t = 1.0 / 479001600 + z * (-1.0 / 87178291200 + z * (1.0 / 20922789888000));
    return 1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 + z * (-1.0 / 3628800 + z * t)));
}

// x = k pi/2 + r + low. k has at most 48 bits, and the quotient that it is rounded from is off by at most 1/32, so
// |r| <= pi/4 + 0.05 / 2. x - first is exact (Sterbenz), the sums are exact but for the last terms, which lose less
// than 2^-125. No double up to TRIG_MOST but 0 is nearer to a multiple of pi/2 than 2^-60.5 (continued fractions), so
// that is nothing of r.
// sin(r + low) = r + (r^3 tail + low cos r): the bracket is below 0.12 r, its six roundings are 0.7 u r, the sum one
// u. cos(r + low) = 1 - z/2 + (z^2 tail - r low): 1 - z/2 with what it loses, so that 0.2 u of z, 0.1 u of the
// bracket and the one u of the sum remain, the cosine being above 0.68.
void apart_sine_cosine(double x, double* sine, double* cosine) {
    *sine = 0;
    *cosine = 1;
    if (!(fabs(x) <= TRIG_MOST)) return;
    double k = (x * 0x1.45f306dc9c883p-1 + 0x1.8p52) - 0x1.8p52; // the integer next to x / (pi/2)
    double first_low, second_low, lost[2];
    double first = exact_product(k, half_pi[0], &first_low), second = exact_product(k, half_pi[1], &second_low);
    double r = exact_sum(exact_sum(x - first, -first_low, &lost[0]), -second, &lost[1]);
    double low = (lost[0] + lost[1]) - second_low - k * half_pi[2];
    double high = r + low; // now low is below u r
    low -= high - r;
    double z = high * high, one = 1 - z / 2;
    double s = high + (high * z * sine_tail(z) + low * one);
    double c = one + (((1 - one) - z / 2) + (z * z * cosine_tail(z) - high * low));
    // Each quarter turn takes the sine to the cosine, and that to the negative sine.
    const int64_t quarters = (int64_t)k;
    *sine = quarters & 1 ? c : s;
    *cosine = quarters & 1 ? s : c;
    if (quarters & 2) *sine = -*sine;
    if ((quarters + 1) & 2) *cosine = -*cosine;
}

// The numerator y - x/2 or y - x of the reduced tangent t is exact (Sterbenz), so t has two roundings. The series is
// cut off at 2^-57 of t (|t| <= 1/4), its bracket is below 0.022 t. So t adds at most 3.1 u |t| where |t| <= 0.223 and
// the angle is at least 0.24, and 2.2 u of the angle where there is no base; the sum adds one u.
double apart_arctangent(double y, double x) {
    // arctan of 0, 1/2, 1, 2, infinity
    static const double base[5][2] = {{0, 0},
                                      {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                      {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
                                      {0x1.1b6e192ebbe44p+0, 0x1.b1b466a88828ep-54},
                                      {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}};
    double small = smaller(x, y), large = larger(x, y);
    int i = small >= 0.75 * large ? 2 : small >= 0.25 * large ? 1 : 0;
    double t = (small - 0.5 * i * large) / (large + 0.5 * i * small), z = t * t, tail = 0;
    for (int n = 27; n >= 3; n -= 2) tail = 1.0 / n - z * tail;
    double angle = t - t * (z * tail);
    return y > x ? base[4 - i][0] + (base[4 - i][1] - angle) : base[i][0] + (base[i][1] + angle);
}
