// Sums of floats in private memory, each in the order of its terms.
//
// launch: -k sums -g 1 -a rand:80:61:0:3 -a rand:80:62:-1:1 -a 80 -a zero:4
// expect 3: -0.9535568 0.34115863 1.3818003 1.9614486

__kernel void sums(__global const int *x, __global const float *w, int n, __global float *out)
{
    float bins[4];
    for (int b = 0; b < 4; b++)
        bins[b] = 0.5f;
    for (int i = 0; i < n; i++)
        bins[x[i] & 3] += w[i];
    for (int b = 0; b < 4; b++)
        out[b] = bins[b];
}
