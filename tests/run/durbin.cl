// Levinson-Durbin recursion, a single work-item with two private arrays.
//
// launch: -k durbin -g 1 -l 1 -a values:0.5,-0.25,0.125,0.0625,-0.3,0.2 -a zero:6
// expect 1: -1.386841597530389 0.8498167084699988 -0.18563090874011212 -0.5029254292880572 1.1618030098398617
// expect 1: -1.3525950221879228

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define N 6
__kernel void durbin(__global const double *r, __global double *out)
{
    double y[N], z[N];
    y[0] = -r[0];
    double beta = 1.0, alpha = -r[0];
    for (int k = 1; k < N; k++) {
        beta = (1.0 - alpha * alpha) * beta;
        double sum = 0.0;
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
    for (int i = 0; i < N; i++)
        out[i] = y[i];
}
