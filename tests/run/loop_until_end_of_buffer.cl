// A search for a mark in the last element of its buffer, directly and through indices: loads of iterations that
// turn out not to be needed are no accesses beyond the end.
//
// launch: -k search -g 1 -a values:5,7,1,9,9,3,2,8,6,4,1,2,3,4,5,6,0 -a values:3,1,2,0,4,4,2,7 -a values:9,8,7,6,5,4,3,0 -a zero:3
// expect 3: 16 7 47
// launch: -k search -g 1 -a values:0 -a values:0 -a values:0 -a fill:3:7
// expect 3: 0 0 0

__kernel void search(__global const uchar *s, __global const int *x, __global const int *y, __global uint *out)
{
    uint n = 0;
    while (s[n] != 0)
        n++;
    uint m = 0, sum = 0;
    while (y[x[m]] != 0) {
        sum += y[x[m]];
        m++;
    }
    out[0] = n;
    out[1] = m;
    out[2] = sum;
}
