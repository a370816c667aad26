// Each of several work-items has a histogram of its own.
//
// launch: -k own -g 8 -a rand:128:171:0:3 -a zero:32
// expect 1: 5 2 4 5 2 4 6 4 2 7 3 4 3 7 3 3
// expect 1: 4 6 2 4 0 3 4 9 4 4 3 5 4 3 5 4
// launch: -k own -g 1 -a rand:16:171:0:3 -a zero:4
// expect 1: 5 2 4 5

__kernel void own(__global const uchar *x, __global uint *out)
{
    uint bins[4];
    int g = get_global_id(0);
    for (int b = 0; b < 4; b++)
        bins[b] = 0;
    for (int i = 0; i < 16; i++)
        bins[x[g * 16 + i] & 3]++;
    for (int b = 0; b < 4; b++)
        out[g * 4 + b] = bins[b];
}
