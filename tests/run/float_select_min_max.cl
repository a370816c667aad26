// fmin and fmax prefer the number over a NaN; select, bitselect, copysign,
// fdim, maxmag, minmag and signbit on scalars and vectors.
//
// launch: -k choose -g 8 -l 2 -a values:nan,1,nan,-3,inf,-0.5,1e-42,-7 -a values:2,nan,nan,3,-inf,0.25,-1e-42,-7.5 -a zero:64 -a zero:8
// expect 2: 2 2 2 3 10 NaN 10040 0 1 1 1 1 10 NaN 10040 0 NaN NaN NaN NaN 10 NaN 10040 0 -3 3 -3 -3 6 0 10040 6 -inf
// expect 2: inf inf inf -10 inf 10040 inf -0.5 0.25 -0.5 -0.25 6 0 10040 -0.25
// expect 2: -0.000000000000000000000000000000000000000001 0.000000000000000000000000000000000000000001
// expect 2: 0.000000000000000000000000000000000000000001 0.000000000000000000000000000000000000000001 -10
// expect 2: 0.000000000000000000000000000000000000000002001 10040 0.000000000000000000000000000000000000000002001
// expect 2: -7.5 -7 -7 -7 -6 0.5 10040 -0.5
// expect 3: -8 -10 -8 -9 -14 -9 -14 -13

__kernel void choose(__global const float *a, __global const float *b, __global float *out, __global int *signs)
{
    int i = get_global_id(0);
    float x = a[i], y = b[i];
    __global float *o = out + 8 * i;
    o[0] = fmin(x, y);
    o[1] = fmax(x, y);
    o[2] = select(x, y, isnan(x));
    o[3] = bitselect(x, y, 1.0f);
    o[4] = copysign(2.0f, y) * (signbit(x) ? 3 : 5);
    o[5] = fdim(x, y);
    float4 v = select((float4)(x, y, x, y), (float4)(10, 20, 30, 40), (int4)(-1, 0, 0x7fffffff, 1 << 31));
    o[6] = v.x * 1000 + v.w;
    o[7] = x == y || isnan(x) || isnan(y) ? 0.0f : maxmag(x, y) + fabs(minmag(x, y));
    int4 s = signbit((float4)(x, -x, y, -0.0f));
    signs[i] = (isnan(x) ? 0 : s.x + 2 * s.y) + (isnan(y) ? 0 : 4 * s.z) + 8 * s.w;
}
