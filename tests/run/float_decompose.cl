// frexp, ldexp, modf, fract, ilogb, logb and nextafter, denormals included;
// the parts put together again give the number back.
//
// launch: -k parts -g 10 -l 2 -a values:0,1,-0.75,3.1415927,1e-40,-123456.79,8388608.5,1e38,-1e-45,0.99999994 -a zero:50 -a zero:30
// expect 1: 0 0 0 0 0.000000000000000000000000000000000000000000001 0.5 0 1 2 1 -0.75 -0.75 -0 -1.75 -0.74999994
// expect 1: 0.7853982 0.14159274 3 6.141593 3.1415925 0.54444885 0.0000000000000000000000000000000000000001 0
// expect 1: 0.0000000000000000000000000000000000000001 0.000000000000000000000000000000000000000100001 -0.94190055
// expect 1: -0.7890625 -123456 -246913.78 -123456.78 0.5 0 8388608 0 8388607.5 0.58774716 0
// expect 1: 100000000000000000000000000000000000000 0 99999990000000000000000000000000000000 -0.5
// expect 1: -0.000000000000000000000000000000000000000000001 -0 -1 -0 0.99999994 0.99999994 0 0.99999994 1
// expect 2: 0 1234 7 1 0 7 0 -2 7 2 2 7 -132 -266 7 17 32 7 24 46 7 127 252 7 -148 -298 7 0 -2 7

__kernel void parts(__global const float *in, __global float *out, __global int *exps)
{
    int i = get_global_id(0);
    float x = in[i];
    int e;
    float m = frexp(x, &e);
    out[5 * i + 0] = m;
    exps[3 * i + 0] = e;
    float whole;
    float f = modf(x, &whole);
    out[5 * i + 1] = f;
    out[5 * i + 2] = whole;
    float fl;
    out[5 * i + 3] = fract(x, &fl) + (fl > 1e6f ? 0.0f : fl * 2.0f);
    out[5 * i + 4] = nextafter(x, 1.0f);
    exps[3 * i + 1] = x != 0.0f ? ilogb(x) + (int)logb(x) : 1234;
    exps[3 * i + 2] = (ldexp(m, e) == x) + 2 * (f + whole == x) + 4 * (ldexp(1.0f, -149) == 1e-45f);
}
