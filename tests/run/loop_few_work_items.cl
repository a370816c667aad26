// Two to four work-items: too few to fill the pipelines of loops. Loops that are independent, in order, short, and with
// a different number of iterations in each work-item.
//
// launch: -k rows -g 2 -l 1 -a values:1,2,3,4,5,6,7,8,9,10,11,12,13,14 -a zero:14 -a 7
// expect 1: 3 5 7 9 11 13 15 17 19 21 23 25 27 29
// launch: -k rows -g 3 -a values:5,4,3,2,1,0 -a zero:6 -a 2
// expect 1: 11 9 7 5 3 1
// launch: -k rows -g 4 -l 4 -a values:1,2,3,4 -a zero:4 -a 1
// expect 1: 3 5 7 9
// launch: -k rows -g 4 -l 2 -a values:1,2,3,4 -a fill:4:7 -a 0
// launch: -k sums -g 4 -l 2 -a values:0,1,4,9,11 -a values:1,2,3,4,5,6,7,8,9,10,11 -a zero:4
// expect 2: 1 9 35 21
// launch: -k sums -g 2 -l 2 -a values:0,9,9 -a values:0.5,1,1.5,2,2.5,3,3.5,4,4.5 -a fill:2:3
// expect 2: 22.5 0
// launch: -k powers -g 4 -l 4 -a zero:12
// expect 0: 1 0 0 1 1 1 1 2 4 1 3 9
// launch: -k powers -g 4 -l 1 --offset 2 -a zero:18
// expect 0: 0 0 0 0 0 0 1 2 4 1 3 9 1 4 16 1 5 25
// launch: -k powers -g 5 -l 5 -a zero:15
// expect 0: 1 0 0 1 1 1 1 2 4 1 3 9 1 4 16

__kernel void rows(__global const int *restrict in, __global int *restrict out, int n)
{
    const int row = get_global_id(0) * n;
    for (int i = 0; i < n; i++)
        out[row + i] = 2 * in[row + i] + 1;
}

__kernel void sums(__global const int *restrict starts, __global const float *restrict in, __global float *restrict out)
{
    const int row = get_global_id(0);
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        sum += in[i];
    out[row] = sum;
}

__kernel void powers(__global int *out)
{
    const int x = get_global_id(0);
    int power = 1;
    for (int i = 0; i < 3; i++) {
        out[3 * x + i] = power;
        power *= x;
    }
}
