// A histogram in private memory in which neighbours often have the same bin: an iteration needs what the one before
// has stored.
//
// launch: -k count -g 1 -a fill:90:3 -a 90 -a zero:8
// expect 2: 0 0 0 90 0 0 0 0
// launch: -k count -g 1 -a rand:90:41:0:7 -a 90 -a zero:8
// expect 2: 8 11 15 12 12 11 8 13
// launch: -k count -g 1 -a rand:90:42:0:1 -a 90 -a zero:8
// expect 2: 47 43 0 0 0 0 0 0
// launch: -k count -g 1 -a fill:1:6 -a 1 -a zero:8
// expect 2: 0 0 0 0 0 0 1 0
// launch: -k count -g 1 -a fill:1:6 -a 0 -a fill:8:9
// expect 2: 0 0 0 0 0 0 0 0

__kernel void count(__global const uchar *x, int n, __global uint *out)
{
    uint bins[8];
    for (int b = 0; b < 8; b++)
        bins[b] = 0;
    for (int i = 0; i < n; i++)
        bins[x[i] & 7]++;
    for (int b = 0; b < 8; b++)
        out[b] = bins[b];
}
