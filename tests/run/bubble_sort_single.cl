// Bubble sort by one work-item in global memory, with an end as soon as nothing is exchanged.
//
// launch: -k sort -g 1 -a rand:14:3221:0:99 -a 14 -a zero:1
// expect 0: 19 23 33 36 39 56 64 64 76 80 81 92 94 98
// expect 2: 12
// launch: -k sort -g 1 -a iota:14 -a 14 -a zero:1
// expect 2: 1

__kernel void sort(__global int *a, int n, __global int *rounds)
{
    int swapped = 1, r = 0;
    for (int end = n - 1; end > 0 && swapped; end--) {
        swapped = 0;
        for (int i = 0; i < end; i++)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                swapped = 1;
            }
        r++;
    }
    rounds[0] = r;
}
