// Several iterations write the same element: the last one wins.
//
// launch: -k last -g 1 -a rand:40:3111:0:999 -a zero:10 -a zero:1
// expect 1: 53 282 776 250 962 135 745 896 389 86
// expect 2: 38

__kernel void last(__global const int *x, __global int *y, __global int *z)
{
    for (int i = 0; i < 40; i++) {
        y[i / 4] = x[i];
        if (x[i] % 3 == 0)
            z[0] = i;
    }
}
