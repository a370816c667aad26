// How long ago each value was there last: what is stored does not depend on what is read.
//
// launch: -k ago -g 1 -a rand:120:141:0:15 -a 120 -a zero:120
// expect 2: 1 2 3 2 5 6 7 8 9 10 4 11 13 5 7 3
// expect 2: 14 18 14 9 5 8 23 24 3 11 27 7 3 1 7 28
// expect 2: 1 1 35 26 7 20 16 21 13 25 16 10 5 5 8 28
// expect 2: 18 5 51 3 15 48 1 13 21 46 15 7 11 37 5 27
// expect 2: 8 20 32 21 27 9 5 17 10 18 24 1 8 11 15 21
// expect 2: 33 22 4 11 14 1 7 23 17 6 23 6 10 13 1 9
// expect 2: 7 20 22 11 4 26 2 22 1 7 37 20 2 5 11 2
// expect 2: 22 2 6 24 15 20 11 58

__kernel void ago(__global const uchar *x, int n, __global int *out)
{
    int last[16];
    for (int k = 0; k < 16; k++)
        last[k] = -1;
    for (int i = 0; i < n; i++) {
        out[i] = i - last[x[i] & 15];
        last[x[i] & 15] = i;
    }
}
