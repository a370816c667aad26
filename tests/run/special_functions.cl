// tanh and relatives, erf, erfc, tgamma, cbrt, hypot, rsqrt, and the exact
// fmod and remainder.
//
// launch: -k hyperbolic -g 8 -l 2 -a values:0.5,1.5,2.25,-0.75,3,0.01,-1.25,0.9 -a zero:24
// expect 1: 0.46211717 0.5210953 1.127626 0.90514827 2.1292794 2.3524096 0.9780261 4.6911683 4.7965674 -0.63514894
// expect 1: -0.8223167 1.2946833 0.9950548 10.017875 10.067662 0.009999666 0.0100001665 1.00005 -0.84828365 -1.601919
// expect 1: 1.8884239 0.71629786 1.0265167 1.4330864
// ulp: 16
// launch: -k inverse -g 8 -l 2 -a values:0.5,1.5,2.25,-0.75,3,0.01,-1.25,0.9 -a zero:16
// expect 1: 0.4812118 1.316958 1.1947632 1.7627472 1.5501579 1.9966315 -0.6931472 1.4505745 1.8184465 2.1846437
// expect 1: 0.009999833 0.9713148 -1.047593 1.669919 0.8088669 1.5220795
// ulp: 16
// launch: -k probable -g 8 -l 2 -a values:0.5,1.5,2.25,-0.75,3,0.01,-1.25,0.9 -a zero:24
// expect 1: 0.5204999 0.47950011 1 0.96610516 0.03389485 1 0.9985373 0.0014627166 1.6083595 -0.71115565 1.7111557
// expect 1: 0.90640247 0.9999779 0.000022090497 3.323351 0.011283415 0.9887166 1.7384151 -0.92290014 1.9229001
// expect 1: 0.91906255 0.7969082 0.2030918 0.88726383
// ulp: 16
// launch: -k roots -g 8 -l 2 -a values:0.5,1.5,2.25,-0.75,3,0.01,-1.25,0.9 -a zero:16
// expect 1: 1.709976 4.0413814 2.466212 4.0612087 2.8231082 4.3530226 -1.9574338 3.9867563 3.1072326 4.777163
// expect 1: 0.46415886 4.4002967 -2.3207943 4.005929 2.0800838 3.9772463
// ulp: 16
// launch: -k remainders -g 8 -l 2 -a values:0.5,1.5,2.25,-0.75,3,0.01,-1.25,0.9 -a zero:16
// expect 1: 1 1 0 0 0 0 -0 -0 0 0 0.08 0.08 -1 -1 1.1999998 1.1999998
// ulp: 16

__kernel void hyperbolic(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    float x = in[i];
    out[3 * i] = tanh(x);
    out[3 * i + 1] = sinh(x);
    out[3 * i + 2] = cosh(x);
}

__kernel void inverse(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    out[2 * i] = asinh(in[i]);
    out[2 * i + 1] = acosh(fabs(in[i]) + 1.5f);
}

__kernel void probable(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    out[3 * i] = erf(in[i]);
    out[3 * i + 1] = erfc(in[i]);
    out[3 * i + 2] = tgamma(fabs(in[i]) + 0.5f);
}

__kernel void roots(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    out[2 * i] = cbrt(in[i] * 10.0f);
    out[2 * i + 1] = hypot(in[i], 3.0f) + rsqrt(fabs(in[i]) + 0.5f);
}

__kernel void remainders(__global const float *in, __global float *out)
{
    int i = get_global_id(0);
    float x = in[i] * 8.0f;
    out[2 * i] = fmod(x, 3.0f);
    out[2 * i + 1] = remainder(x, 3.0f);
}
