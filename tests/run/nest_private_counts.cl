// A nest counts values in a private array, and begins it anew for each row.
//
// launch: -k f -g 1 -a 3 -a 7 -a rand:21:19:0:3 -a zero:12
// expect 3: 1 3 2 1 2 4 2 3 3 2 4 6

__kernel void f(int n, int m, __global const int *restrict in, __global int *restrict out)
{
    int counts[4];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 4; j++)
            counts[j] = i;
        for (int j = 0; j < m; j++)
            counts[in[i * m + j] & 3]++;
        for (int j = 0; j < 4; j++)
            out[i * 4 + j] = counts[j];
    }
}
