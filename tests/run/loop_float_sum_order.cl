// A float sum in exact order: large and small terms, so that another order gives another result.
//
// launch: -k sum -g 1 -a values:16777216,1,1,-16777216,1,0.5,1e8,3,-1e8,0.25,7,1e-3 -a 12 -a zero:2
// expect 2: 7.251 9432340
// launch: -k sum -g 1 -a rand:48:3119:-1:1 -a 48 -a zero:2
// expect 2: 1.8413479 -0.033751845

#pragma OPENCL FP_CONTRACT OFF
__kernel void sum(__global const float *x, int n, __global float *out)
{
    float s = 0, c = 0;
    for (int i = 0; i < n; i++) {
        s += x[i];
        c = c * 0.5f - x[i];
    }
    out[0] = s;
    out[1] = c;
}
