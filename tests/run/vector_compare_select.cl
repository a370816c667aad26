// Vector comparisons give -1 and 0; they feed select, masks, any, all,
// bitselect and ternaries, in int4, float4 and char8.
//
// launch: -k masks -g 8 -l 4 -a rand:8:71:-9:9 -a rand:8:72:-9:9 -a zero:8 -a zero:8 -a zero:8
// expect 2: 1 1001 94 98 1 80 996 1002 86 78 999 80 1002 1003 1089 992 86 1003 1092 80 -3 992 -2 996 100 1088 92 1 86
// expect 2: 995 9 1003
// expect 3: 1113 1097 1097 1065 1073 1116 1113 1117
// expect 4: -2 -2.75 1 3.5 -2 0 -0.25 -3.25 -2 0 -1.75 3.5 -3.25 -3.75 -2.75 -1.75 -2 -3.75 -0.75 3.5 -2 -1.75 2
// expect 4: -0.25 -2 -3.25 2 1 -2 -0.25 1.5 -3.75

__kernel void masks(__global const int4 *a, __global const int4 *b, __global int4 *out, __global int *bits, __global float4 *clamped)
{
    int g = get_global_id(0);
    int4 x = a[g], y = b[g];
    int4 m = x > y;
    int4 r = select(x, y, m) + (m & 100) - (x == y) * 7;
    r ^= ~m & (y != 3);
    r += (x < 0) ? (int4)(1000) : y;
    r += !x * 50 + (x && y) * 3 + (x || y);
    out[g] = r;
    bits[g] = any(m) | all(m) << 1 | any(x == y) << 2 | all(m | (y < 9)) << 3;

    float4 f = convert_float4(x) * 0.5f;
    float4 lim = (float4)(-2.0f, 0.0f, 2.0f, 9.0f);
    clamped[g] = select(f, lim, f > lim) + (isless(f, (float4)(0.0f)) ? (float4)(0.25f) : (float4)(0.0f));
    char8 c = (char8)(convert_char4(x), convert_char4(y));
    char8 k = c > (char8)(0);
    bits[g] += 16 * (popcount(as_ulong(k)) / 8) + 1024 * any(k);
}
