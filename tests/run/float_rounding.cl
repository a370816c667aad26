// floor, ceil, trunc, rint, round on halves, negatives, tiny and huge values;
// the sign of a zero result survives.
//
// launch: -k rounding -g 16 -l 4 -a values:0.5,-0.5,1.5,2.5,-1.5,-2.5,0.49999997,-0.25,8388607.5,-8388609,1e10,-0.0,nan,-inf,1e-40,-3.7 -a zero:80
// expect 1: 0 1 0 0 1 -1 -0 -0 -0 -1 1 2 1 2 2 2 3 2 2 3 -2 -1 -1 -2 -2 -3 -2 -2 -2 -3 0 1 0 0 0 -1 -0 -0 -0 -0
// expect 1: 8388607 8388608 8388607 8388608 8388608 -8388609 -8388609 -8388609 -8388609 -8388609 10000000000
// expect 1: 10000000000 10000000000 10000000000 10000000000 -0 -0 -0 -0 -0 NaN NaN NaN NaN NaN -inf -inf -inf -inf
// expect 1: -inf 0 1 0 0 0 -4 -3 -3 -4 -4

__kernel void rounding(__global const float *v, __global float *out)
{
    size_t i = get_global_id(0);
    float x = v[i];
    out[5 * i + 0] = floor(x);
    out[5 * i + 1] = ceil(x);
    out[5 * i + 2] = trunc(x);
    out[5 * i + 3] = rint(x);
    out[5 * i + 4] = round(x);
}
