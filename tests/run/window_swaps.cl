// Elements change places: two loads and two stores of one array in an iteration.
//
// launch: -k swap -g 1 -a rand:100:131:0:31 -a rand:100:132:0:31 -a 100 -a zero:32
// expect 3: 10 20 15 3 17 19 6 2 23 4 11 5 31 9 21 12
// expect 3: 24 0 13 28 25 16 8 22 30 7 18 29 1 26 14 27

__kernel void swap(__global const uchar *p, __global const uchar *q, int n, __global int *out)
{
    int a[32];
    for (int k = 0; k < 32; k++)
        a[k] = k;
    for (int i = 0; i < n; i++) {
        int x = a[p[i] & 31], y = a[q[i] & 31];
        a[p[i] & 31] = y;
        a[q[i] & 31] = x;
    }
    for (int k = 0; k < 32; k++)
        out[k] = a[k];
}
