// Single-precision add, subtract, multiply over denormals, overflow to
// infinity, cancellation and signed zeros. Contraction is off: every result
// is that of IEEE 754.
//
// launch: -k edges -g 12 -l 4 -a values:0,-0.0,1e-45,1.1754944e-38,3.4028235e38,1,-1,16777216,0.1,1e20,-2.5e-40,inf -a values:-0.0,-0.0,1e-45,1.1754942e-38,3.4028235e38,1.00000012,0.99999994,1,0.2,-1e20,3,-inf -a zero:60
// expect 2: 0 0 -0 0 0 -0 0 0 0 0 0.000000000000000000000000000000000000000000003 0 0 0 0
// expect 2: 0.000000000000000000000000000000000000023509886 0.000000000000000000000000000000000000000000001 0 0 0 inf
// expect 2: 0 inf NaN inf 2 -0.00000011920929 1.0000001 -0.00000023841858 0 -0.000000059604645 -2 -0.99999994
// expect 2: 0.00000011920929 1 16777216 16777215 16777216 281474980000000 -8388608 0.3 -0.1 0.020000001 -0.030000001
// expect 2: 0.050000004 0 200000000000000000000 -inf NaN -100000000000000000000 3 -3
// expect 2: -0.00000000000000000000000000000000000000075 -9 1.5 NaN inf -inf NaN NaN

#pragma OPENCL FP_CONTRACT OFF
__kernel void edges(__global const float *a, __global const float *b, __global float *out)
{
    int i = get_global_id(0);
    float x = a[i], y = b[i];
    __global float *o = out + 5 * i;
    o[0] = x + y;
    o[1] = x - y;
    o[2] = x * y;
    o[3] = x * x - y * y;
    o[4] = (x + y) * 0.5f + -x;
}
