// A histogram by one work-item in local memory.
//
// launch: -k count -g 1 -a rand:120:111:0:31 -a 120 -a zero:32
// expect 2: 1 4 4 2 4 1 3 3 1 5 3 3 5 11 2 2
// expect 2: 4 3 1 2 4 0 2 8 4 8 6 3 4 7 9 1
// launch: -k count -g 1 -a fill:50:31 -a 50 -a zero:32
// expect 2: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 2: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 50

__kernel void count(__global const uchar *x, int n, __global uint *out)
{
    __local uint bins[32];
    for (int b = 0; b < 32; b++)
        bins[b] = 0;
    for (int i = 0; i < n; i++)
        bins[x[i] & 31]++;
    for (int b = 0; b < 32; b++)
        out[b] = bins[b];
}
