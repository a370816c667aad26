// Values of 64 bits: a recurrence of each bin.
//
// launch: -k recur -g 1 -a rand:70:91:0:3 -a 70 -a zero:4
// expect 2: 14011706693655860298 293439144721206132 13559992502626404999 18251274017246463266

__kernel void recur(__global const uchar *x, int n, __global ulong *out)
{
    ulong bins[4];
    for (int b = 0; b < 4; b++)
        bins[b] = 1ul << 40;
    for (int i = 0; i < n; i++)
        bins[x[i] & 3] = bins[x[i] & 3] * 5 + i;
    for (int b = 0; b < 4; b++)
        out[b] = bins[b];
}
