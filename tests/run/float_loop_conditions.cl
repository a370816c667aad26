// Loops governed by floating-point comparisons: bisection, a series until it
// no longer changes, a counter that steps by an inexact tenth, NaN that ends
// a loop at once.
//
// launch: -k loops -g 8 -l 2 -a values:2,3,10,0.25,100,nan,1,0 -a zero:32 -a zero:8
// expect 1: 1.4142135614529252 7.389056098930649 1.0999999999999999 2505 1.7320508072152734 20.08553692318766
// expect 1: 1.0999999999999999 2904 3.162277659866959 148.41315910257654 1.0999999999999999 3503 0.5
// expect 1: 1.2840254166877418 1.0999999999999999 1503 9.99999999985448 148.41315910257654 1.0999999999999999 3502
// expect 1: 0.9999999990686774 148.41315910257654 1.0999999999999999 3500 0.9999999990686774 2.7182818284590455
// expect 1: 1.0999999999999999 2020 0 1 1.0999999999999999 300
// expect 2: 3111 3211 3411 3011 3711 3011 3011 3011

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void loops(__global const double *in, __global double *out, __global int *trips)
{
    int g = get_global_id(0), n = 0;
    double x = in[g];
    double lo = 0.0, hi = x > 1.0 ? x : 1.0;
    while (hi - lo > 1e-9) {
        double mid = 0.5 * (lo + hi);
        if (mid * mid > x)
            hi = mid;
        else
            lo = mid;
        n++;
    }
    double sum = 0.0, before, term = 1.0;
    int k = 1;
    do {
        before = sum;
        sum += term;
        term = term * (x < 5.0 ? x : 5.0) / k++;
    } while (sum != before && k < 60);
    double t = 0.0;
    int tenths = 0;
    for (; t < 1.0; t += 0.1)
        tenths++;
    int m = 0;
    for (double y = x; y >= 0.001 && y <= 1e6; y = y * y)
        if (++m == 20)
            break;
    out[4 * g] = lo;
    out[4 * g + 1] = sum;
    out[4 * g + 2] = t;
    out[4 * g + 3] = k * 100 + m;
    trips[g] = n * 100 + tenths;
}
