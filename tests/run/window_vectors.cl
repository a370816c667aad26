// Elements of two components, which change together.
//
// launch: -k pairs -g 1 -a rand:64:201:0:7 -a rand:64:202:-20:20 -a 64 -a zero:8
// expect 3: -15 166 26 103 -66 66 3 101 -4 109 -4 81 10 122 8 86

__kernel void pairs(__global const uchar *x, __global const int2 *w, int n, __global int2 *out)
{
    int2 bins[8];
    for (int b = 0; b < 8; b++)
        bins[b] = (int2)(0, 100);
    for (int i = 0; i < n; i++) {
        int2 old = bins[x[i] & 7];
        bins[x[i] & 7] = (int2)(old.x + w[i].x, max(old.y, 0) - w[i].y);
    }
    for (int b = 0; b < 8; b++)
        out[b] = bins[b];
}
