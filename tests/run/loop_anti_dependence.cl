// Each iteration reads what a later one overwrites: shifting down in place, by one and by four.
//
// launch: -k shift -g 1 -a rand:24:3110:0:999 -a 24 -a 1
// expect 0: 341 31 800 961 692 50 562 481 607 167 89 89 723 311 965 597 116 598 782 574 448 383 124 123
// launch: -k shift -g 1 -a rand:24:3110:0:999 -a 24 -a 4
// expect 0: 961 692 50 562 481 607 167 89 89 723 311 965 597 116 598 782 574 448 383 124 573 447 382 123

__kernel void shift(__global int *a, int n, int by)
{
    for (int i = 0; i + by < n; i++)
        a[i] = a[i + by] + 1;
}
