// Merging of two sorted runs by one work-item: which one advances depends on what was loaded.
//
// launch: -k merge -g 1 -a values:1,3,3,8,20 -a 5 -a values:0,2,3,9,10,11,30 -a 7 -a zero:12
// expect 4: 0 1 2 3 3 3 8 9 10 11 20 30
// launch: -k merge -g 1 -a values:5 -a 1 -a values:7 -a 0 -a zero:2
// expect 4: 5 0

__kernel void merge(__global const int *a, int n, __global const int *b, int m, __global int *out)
{
    int i = 0, j = 0;
    for (int k = 0; k < n + m; k++) {
        int from_a = j == m || (i < n && a[i] <= b[j]);
        out[k] = from_a ? a[i] : b[j];
        i += from_a;
        j += 1 - from_a;
    }
}
