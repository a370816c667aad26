// Inner loops whose bounds are loaded, in ascending, descending and empty ranges.
//
// launch: -k ranges -g 1 -a values:0,3,3,8,2,9,4 -a rand:10:3201:0:99 -a zero:12
// expect 2: 145 1 0 1 213 1 0 22224 339 1 0 6732

__kernel void ranges(__global const int *ends, __global const int *x, __global int *out)
{
    for (int i = 0; i < 6; i++) {
        int up = 0, down = 1;
        for (int j = ends[i]; j < ends[i + 1]; j++)
            up += x[j];
        for (int j = ends[i]; j > ends[i + 1]; j--)
            down = down * 3 + x[j];
        out[2 * i] = up;
        out[2 * i + 1] = down;
    }
}
