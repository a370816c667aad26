// Division and square root, correctly rounded by build option in single and
// always in double: zeros, infinities, denormals and ordinary values.
//
// launch: -k divide -cl-fp32-correctly-rounded-divide-sqrt -g 12 -l 4 -a values:1,0,-1,1,inf,1e-40,3.4e38,2,-7,10,5e-324,0.3 -a values:3,5,0,-0.0,-2,3,0.01,-0.0,49,nan,2,0.1 -a zero:36 -a zero:36
// expect 2: 0.33333334 1 0.24743582 0 0 0.31943828 -inf NaN 0 -inf 1 0 -inf inf 0.20203051
// expect 2: 0.000000000000000000000000000000000000000033333 0.000000000000000000009999973 0.24743582 inf
// expect 2: 18439089000000000000 0.014285714 -inf 1.4142135 0 -0.14285715 NaN 1 NaN 3.1622777 NaN 0 0 0.20203051 3
// expect 2: 0.5477226 0.045175396
// expect 3: 0.3333333333333333 1 0.5773502691896258 0 0 0.4472135954999579 -inf NaN inf -inf 1 -inf -inf inf NaN
// expect 3: 0.00000000000000000000000000000000000000003333315367038253 0.000000000000000000009999973050521066
// expect 3: 0.5773502691896258 34000000281402870000000000000000000000000 18439088784818962000 10.00000011175871 -inf
// expect 3: 1.4142135623730951 -inf -0.14285714285714285 NaN 0.14285714285714285 NaN 3.1622776601683795 NaN 0 0
// expect 3: 0.7071067811865475 3.000000074505805 0.5477225683874355 3.162277636607575

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void divide(__global const float *a, __global const float *b, __global float *single, __global double *twice)
{
    int i = get_global_id(0);
    float x = a[i], y = b[i];
    single[3 * i] = x / y;
    single[3 * i + 1] = sqrt(x);
    single[3 * i + 2] = sqrt(fabs(y)) / 7.0f;
    double dx = x, dy = y;
    twice[3 * i] = dx / dy;
    twice[3 * i + 1] = sqrt(dx);
    twice[3 * i + 2] = 1.0 / sqrt(dy);
}
