// Only some iterations store: the others leave what was stored before.
//
// launch: -k positive -g 1 -a rand:100:81:0:7 -a rand:100:82:-9:9 -a 100 -a zero:8
// expect 3: 21 42 47 17 39 49 44 9

__kernel void positive(__global const int *x, __global const int *w, int n, __global int *out)
{
    int bins[8];
    for (int b = 0; b < 8; b++)
        bins[b] = 0;
    for (int i = 0; i < n; i++)
        if (w[i] > 0)
            bins[x[i] & 7] += w[i];
    for (int b = 0; b < 8; b++)
        out[b] = bins[b];
}
