// A histogram by one work-item in private memory: many hits of one bin in a row.
//
// launch: -k histogram -g 1 -a rand:60:3213:0:15 -a 60 -a zero:16
// expect 2: 3 3 1 4 4 5 5 3 6 4 3 3 4 4 4 4
// launch: -k histogram -g 1 -a fill:20:5 -a 20 -a zero:16
// expect 2: 0 0 0 0 0 20 0 0 0 0 0 0 0 0 0 0

__kernel void histogram(__global const uchar *x, int n, __global uint *out)
{
    uint bins[16];
    for (int b = 0; b < 16; b++)
        bins[b] = 0;
    for (int i = 0; i < n; i++)
        bins[x[i] & 15]++;
    for (int b = 0; b < 16; b++)
        out[b] = bins[b];
}
