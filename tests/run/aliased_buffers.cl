// The same buffer passed twice: what is written through one argument is read
// through the other, in program order within a work-item.
//
// launch: -k ladder -g 4 -l 2 -a iota:24 -a same:0
// expect 0: -1 -3 3 10 24 57 2 18 45 99 212 435 10 34 87 188 395 813 18 55 129 277 583 1191
// launch: -k ladder -g 4 -l 2 -a iota:24 -a fill:24:7
// expect 0: 0 15 16 17 18 19 6 21 22 23 24 25 12 27 28 29 30 31 18 33 34 35 36 37
// expect 1: 7 6 5 4 3 7 6 5 4 3 7 7 5 4 3 7 6 7 4 3 7 6 5 7

__kernel void ladder(__global int *a, __global int *b)
{
    int base = get_global_id(0) * 6;
    for (int k = 0; k < 5; k++) {
        a[base + k + 1] += b[base + k] * 2;
        b[base + k] -= a[base + k + 1] % 5;
    }
}
