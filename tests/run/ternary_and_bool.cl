// Chains of conditionals, bool variables and arrays of bool, conversion of
// numbers and pointers to bool, comparison results in arithmetic.
//
// launch: -k decide -g 16 -l 4 -a iota:16 -a zero:16 -a zero:16
// expect 1: -100000 -90001 209999 3309999 201001 711000 711000 711010 700011 1110010 1110110 1210110 1201011 1211010
// expect 1: 1111010 1111010
// expect 2: 16 25 1 17 0 24 28 24 27 31 27 19 18 22 26 26

__kernel void decide(__global const int *in, __global int *out, __global uchar *flags)
{
    int x = in[get_global_id(0)];
    bool table[4] = { x & 1, x > 7, x % 3 == 0, !x };
    bool any_set = false, odd_count = false;
    for (int k = 0; k < 4; k++) {
        any_set |= table[k];
        odd_count ^= table[k];
    }
    int band = x < 2 ? -1 : x < 5 ? x == 3 ? 33 : 2 : x < 9 ? (any_set ? 7 : 8) : odd_count ? 11 : 12;
    __global const int *p = x & 4 ? in : 0;
    bool has = p, frac = 0.25f * (x & 3), wrapped = (uchar)(x * 64);
    int score = (x > 3) + (x > 6) * 10 + (x > 9 == x < 12) * 100 + has * 1000 + frac * 10000 - wrapped;
    out[x] = band * 100000 + score;
    flags[x] = any_set << 4 | odd_count << 3 | table[x & 3] << 2 | (bool)(x >> 3) << 1 | (!!x ^ has);
}
