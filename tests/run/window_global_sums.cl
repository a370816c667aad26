// Sums in external memory at addresses that are read from memory.
//
// launch: -k scatter_add -g 1 -a rand:150:121:0:40 -a rand:150:122:-50:50 -a 150 -a zero:41
// expect 3: 47 26 -110 -19 2 87 -79 -36 -11 -13 -29 -12 -30 -75 18 129
// expect 3: 27 -44 -40 -37 46 -10 -7 1 -15 -23 34 39 43 -29 -85 -50
// expect 3: 30 -7 -85 36 0 0 57 164 -11
// launch: -k scatter_add -g 1 -a fill:60:2 -a rand:60:122:-50:50 -a 60 -a fill:41:7
// expect 3: 7 7 84 7 7 7 7 7 7 7 7 7 7 7 7 7
// expect 3: 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7
// expect 3: 7 7 7 7 7 7 7 7 7

__kernel void scatter_add(__global const int *restrict at, __global const int *restrict x, int n,
                          __global int *restrict sum)
{
    for (int i = 0; i < n; i++)
        sum[at[i]] += x[i];
}
