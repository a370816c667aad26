// Horner evaluation of a polynomial and its derivative, Newton iteration to a
// root from each start, with a guard against flat spots.
//
// launch: -k newton -g 10 -l 5 -a values:-6,11,-6,1 -a 3 -a values:0,0.5,1.5,2.1,2.5,3.5,10,-4,1,2 -a zero:10 -a zero:10
// expect 3: 1 1 3 1.9999999999999991 1 3 3.000000000000001 0.9999999999997862 1 2
// expect 4: 7 6 1 3 1 6 10 9 0 0

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
double horner(__constant double *c, int degree, double x, double *slope)
{
    double p = c[degree], d = 0.0;
    for (int k = degree - 1; k >= 0; k--) {
        d = d * x + p;
        p = p * x + c[k];
    }
    *slope = d;
    return p;
}

__kernel void newton(__constant double *c, int degree, __global const double *start, __global double *root, __global int *steps)
{
    int i = get_global_id(0);
    double x = start[i];
    int n;
    for (n = 0; n < 30; n++) {
        double slope, p = horner(c, degree, x, &slope);
        if (fabs(p) < 1e-12)
            break;
        if (fabs(slope) < 1e-6) {
            x += 0.1;
            continue;
        }
        x -= p / slope;
    }
    root[i] = x;
    steps[i] = n;
}
