// Reads and writes through swizzles: reversed, repeated, .hi/.lo/.even/.odd,
// component assignment by name and by number, compound assignment to parts.
//
// launch: -k swizzle -g 6 -l 3 -a rand:6:61:-100:100 -a zero:6 -a zero:6
// expect 1: -32 -79 32 7 38 -46 -37 -95 -180 56 53 7 67 107 -13 -34 -164 -72 23 7 -8 81 -73 -154 -54 13 -10 7 -107
// expect 1: -86 -122 -14 34 -84 -68 7 -58 16 158 -67 124 -9 71 7 -165 143 -30 53
// expect 2: -16 157 -41 7 -90 23 55 7 -82 -75 29 7 -27 -73 -71 7 17 -147 15 7 62 -159 -86 7

__kernel void swizzle(__global const int8 *in, __global int8 *out, __global int4 *half_out)
{
    int i = get_global_id(0);
    int8 v = in[i];
    int8 r;
    r.lo = v.hi.wzyx;
    r.hi = v.even + v.odd;
    r.s0 += v.s7;
    r.s56 = r.s65;
    int4 q = (int4)(v.s01, v.s7, 42);
    q.xz = q.zx;
    q.yw *= (int2)(2, -3);
    q.lo.y -= 1;
    int2 t = q.hi;
    t.even = t.odd + 7;
    q.w = t.x - t.y;
    r.s3 = q.wzyx.s0;
    out[i] = r;
    half_out[i] = q;
}
