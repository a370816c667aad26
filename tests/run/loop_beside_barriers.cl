// Loops with recurrences between barriers: each work-item reads what its neighbour's loop has left.
//
// launch: -k waves -g 8 -l 4 -a rand:8:3206:0:99 -a zero:8
// expect 1: 967 375 394 721 770 98 327 60

__kernel void waves(__global const int *x, __global int *y)
{
    __local int t[4];
    int l = get_local_id(0), g = get_global_id(0);
    int v = x[g];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5 + l; i++)
            v = (v * 5 + i) & 1023;
        t[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        int s = 0;
        for (int i = 0; i < 4; i++)
            s = s * 2 + t[(l + i) & 3];
        barrier(CLK_LOCAL_MEM_FENCE);
        v = s & 1023;
    }
    y[g] = v;
}
