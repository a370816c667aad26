// An exit that depends on data behind the store of the same iteration: nothing later may be stored.
//
// launch: -k copy -g 1 -a values:5,4,3,0,9,9,9 -a fill:8:-1 -a 7
// expect 1: 51 41 31 0 -1 -1 -1 -1
// launch: -k copy -g 1 -a values:0,9 -a fill:4:-1 -a 2
// expect 1: 0 -1 -1 -1
// launch: -k copy -g 1 -a values:1,2,3 -a fill:4:-1 -a 3
// expect 1: 11 21 31 -1

__kernel void copy(__global const int *x, __global int *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * 10;
        if (x[i] == 0)
            break;
        y[i] += 1;
    }
}
