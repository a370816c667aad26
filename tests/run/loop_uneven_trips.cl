// Work-items whose loops have from none to many iterations, nested, with sums per work-item.
//
// launch: -k uneven -g 12 -l 4 -a values:0,9,1,4,0,0,17,2,3,30,5,1 -a zero:12
// expect 1: 1 91 1 26 1 1 341 2 8 1045 26 1

__kernel void uneven(__global const int *n, __global int *out)
{
    int g = get_global_id(0), s = 0;
    for (int i = 0; i < n[g]; i++)
        for (int j = i & 3; j > 0; j--)
            s += i * j;
    out[g] = s + 1;
}
