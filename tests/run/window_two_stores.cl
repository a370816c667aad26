// Two bins change in an iteration, which may be one and the same.
//
// launch: -k both -g 1 -a rand:100:71:0:15 -a rand:100:72:0:15 -a 100 -a zero:16
// expect 3: 4374 341 8997 32849 181 92 25838 236933 1655 302 79465 22608 1916 24 848 197
// launch: -k both -g 1 -a fill:30:4 -a fill:30:4 -a 30 -a zero:16
// expect 3: 0 0 0 0 1769614796 0 0 0 0 0 0 0 0 0 0 0

__kernel void both(__global const uchar *x, __global const uchar *y, int n, __global uint *out)
{
    uint bins[16];
    for (int b = 0; b < 16; b++)
        bins[b] = 0;
    for (int i = 0; i < n; i++) {
        bins[x[i] & 15] += 1;
        bins[y[i] & 15] = bins[y[i] & 15] * 3 + 2;
    }
    for (int b = 0; b < 16; b++)
        out[b] = bins[b];
}
