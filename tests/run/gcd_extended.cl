// Greatest common divisors: Euclid with remainder, the binary algorithm with
// shifts, and the extended one; zeros allowed.
//
// launch: -k gcds -g 12 -l 6 -a values:0,12,18,1000000007,48,270,65536,7,123456,17,0,99 -a values:0,0,12,998244353,180,192,4096,13,7890,51,9,100 -a zero:24 -a zero:24
// expect 2: 0 0 12 12 6 6 1 1 12 12 6 6 4096 4096 1 1 6 6 17 17 9 9 1 1
// expect 3: 1 0 1 0 1 -1 -4915446 4924091 4 -1 5 -7 0 1 2 -1 -649 10155 1 0 0 1 -1 1

uint binary_gcd(uint a, uint b)
{
    if (a == 0 || b == 0)
        return a | b;
    uint shift = popcount(((a | b) & -(a | b)) - 1);
    while (!(a & 1))
        a >>= 1;
    do {
        while (!(b & 1))
            b >>= 1;
        if (a > b) {
            uint t = a;
            a = b;
            b = t;
        }
        b -= a;
    } while (b);
    return a << shift;
}

__kernel void gcds(__global const uint *a, __global const uint *b, __global uint *g, __global int *bezout)
{
    int i = get_global_id(0);
    uint x = a[i], y = b[i];
    while (y) {
        uint r = x % y;
        x = y;
        y = r;
    }
    g[2 * i] = x;
    g[2 * i + 1] = binary_gcd(a[i], b[i]);
    int r0 = a[i], r1 = b[i], s0 = 1, s1 = 0, t0 = 0, t1 = 1;
    while (r1 != 0) {
        int q = r0 / r1, t;
        t = r0 - q * r1, r0 = r1, r1 = t;
        t = s0 - q * s1, s0 = s1, s1 = t;
        t = t0 - q * t1, t0 = t1, t1 = t;
    }
    bezout[2 * i] = s0;
    bezout[2 * i + 1] = t0;
}
