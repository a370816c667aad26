// Indices from memory: iterations that hit the same element at once, soon, late and never.
//
// launch: -k scatter -g 1 -a fill:8:1 -a values:3,3,3,0,1,2,4,5,6,7,3,0,0,7,6,7 -a 16
// expect 0: 99 7 8 106 9 10 47 162
// launch: -k scatter -g 1 -a fill:16:1 -a rand:40:3107:0:15 -a 40
// expect 0: 40 28 68 31 36 123 566 92 26 47 183 877 213 2942 24 322

__kernel void scatter(__global int *a, __global const int *at, int n)
{
    for (int i = 0; i < n; i++)
        a[at[i]] = a[at[i]] * 3 + i;
}
