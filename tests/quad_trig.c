#include "quad_trig.h"

// pi/2 to 212 bits: products with integers of 50 bits are exact in quad, but for the last.
static const double half_pi[4] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110,
                                  0x1.4cf98e804177dp-164};

quad quad_pi(void) { return 2 * ((quad)half_pi[0] + ((quad)half_pi[1] + half_pi[2])); }

void quad_sine_cosine(quad x, quad* sine, quad* cosine) {
    const double k = rint((double)(x * (quad)(1 / half_pi[0])));
    quad r = x;
    for (int i = 0; i < 4; i++) r -= (quad)k * half_pi[i];
    // Up to r^33: 0.8^35 / 35! is below 2^-140. inverse[n] is 1 / (n (n + 1)).
    static quad inverse[33];
    for (int n = 1; n < 33 && inverse[n] == 0; n++) inverse[n] = (quad)1 / (n * (n + 1));
    const quad z = -r * r;
    quad s = 0, c = 0;
    for (int n = 32; n >= 2; n -= 2) {
        s = (z + z * s) * inverse[n];
        c = (z + z * c) * inverse[n - 1];
    }
    s = r + r * s;
    c = 1 + c;
    const int quarter = (int)((long long)k & 3);
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

// One step from the double: what is left of the angle is below 2^-50, its cube nothing.
quad quad_angle(quad y, quad x) {
    const quad size = y + (x < 0 ? -x : x);
    if (!(size > 0)) return 0;
    const double near = atan2((double)(y / size), (double)(x / size));
    quad s, c;
    quad_sine_cosine(near, &s, &c);
    return near + (y * c - x * s) / (x * c + y * s);
}
