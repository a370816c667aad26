// Some outer iterations have no inner loop at all.
//
// launch: -k f -g 1 -a 7 -a 3 -a values:0,1,1,0,0,1,0 -a rand:21:15:0:20 -a zero:7
// expect 4: 39 0 0 367 2848 0 22808

__kernel void f(int n, int m, __global const int *restrict skip, __global const int *restrict in, __global int *restrict out)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (skip[i])
            continue;
        for (int j = 0; j < m; j++)
            sum = (sum << 1) ^ in[i * m + j];
        out[i] = sum;
    }
}
