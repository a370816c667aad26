// Loops that test at their end: digits of a number, most significant first, through a private array.
//
// launch: -k digits -g 5 -l 5 -a values:0,7,10,90210,4294967295 -a zero:55
// expect 1: 1 0 0 0 0 0 0 0 0 0 0 1 7 0 0 0 0 0 0 0 0 0 2 1 0 0 0 0 0 0 0 0 0 5 9 0 2 1 0 0 0 0 0 0 10 4 2 9 4 9 6
// expect 1: 7 2 9 5

__kernel void digits(__global const uint *x, __global int *out)
{
    int g = get_global_id(0), n = 0;
    int d[10];
    uint v = x[g];
    do {
        d[n++] = v % 10;
        v /= 10;
    } while (v);
    out[g * 11] = n;
    int at = g * 11 + 1;
    do
        out[at++] = d[--n];
    while (n);
}
