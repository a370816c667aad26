// Bytes in private memory that stop at their greatest value.
//
// launch: -k add -g 1 -a rand:200:51:0:5 -a 200 -a zero:6
// expect 2: 217 255 236 255 255 255

__kernel void add(__global const uchar *x, int n, __global uchar *out)
{
    uchar bins[6];
    for (int b = 0; b < 6; b++)
        bins[b] = b * 20;
    for (int i = 0; i < n; i++)
        bins[x[i]] = add_sat(bins[x[i]], (uchar)7);
    for (int b = 0; b < 6; b++)
        out[b] = bins[b];
}
