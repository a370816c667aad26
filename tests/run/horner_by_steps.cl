// Polynomials by Horner's rule in floats and modulo a prime, several of them side by side.
//
// launch: -k horner -g 1 -a rand:12:3232:-1:1 -a values:0.5,-1.25,2,0 -a zero:4 -a rand:12:3233:0:96 -a zero:4
// expect 2: 0.951444 -16.762215 -1056.6191 0.31524336
// expect 4: 50 20 78 86

#pragma OPENCL FP_CONTRACT OFF
__kernel void horner(__global const float *c, __global const float *x, __global float *y, __global const int *d,
                     __global int *z)
{
    for (int p = 0; p < 4; p++) {
        float s = 0;
        int m = 0;
        for (int k = 11; k >= 0; k--) {
            s = s * x[p] + c[k];
            m = (m * (p + 2) + d[k]) % 97;
        }
        y[p] = s;
        z[p] = m;
    }
}
