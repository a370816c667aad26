// Loops with every vendor's hints, all of them true: the results are those without hints.
//
// launch: -k hints -g 1 -a values:5,2,7,0,1,6,3,4 -a rand:8:3239:0:99 -a zero:8 -a 8
// expect 2: 135 154 138 177 156 75 208 151

__kernel void hints(__global const int *at, __global const int *x, __global int *y, int n)
{
    #pragma ivdep array(y)
    for (int i = 0; i < n; i++)
        y[at[i]] += x[i];
    #pragma ivdep safelen(4)
    #pragma ii 1
    for (int i = 4; i < n; i++)
        y[i] += y[i - 4];
    #pragma loop_coalesce 2
    for (int i = 0; i < n; i++)
        #pragma max_concurrency 2
        for (int j = 0; j < 3; j++)
            y[i] += x[i] >> j;
    #pragma disable_loop_pipelining
    for (int i = 1; i < n; i++)
        y[i] ^= y[i - 1];
}
