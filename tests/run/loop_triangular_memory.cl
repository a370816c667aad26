// Triangular nests in which rows depend on all rows above them, and columns on those to the left.
//
// launch: -k triangle -g 1 -a rand:12:3124:1:9 -a zero:36
// expect 0: 7 12 37 147 734 421 951 623 625 273 11 129
// expect 1: 7 7 7 7 7 7 0 12 19 26 33 40 0 0 37 63 96 136 0 0 0 147 243 379 0 0 0 0 734 1113 0 0 0 0 0 421

__kernel void triangle(__global int *a, __global int *t)
{
    for (int i = 1; i < 12; i++)
        for (int j = 0; j < i; j++)
            a[i] = (a[i] + a[j] * (j + 1)) % 997;
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++)
            t[i * 6 + j] = i == j ? a[i] : t[i * 6 + j - 1] + (i > 0 ? t[(i - 1) * 6 + j] : 0);
}
