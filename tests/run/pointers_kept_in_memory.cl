// Global pointers stored in local and private memory and used by another
// work-item after a barrier; structs that hold pointers.
//
// launch: -k handover -g 8 -l 4 -a iota:16 -a zero:8
// expect 1: 6723 44 2367 0 15611 132 11255 88
// launch: -k handover -g 8 -l 8 -a rand:16:171:0:99 -a zero:8
// expect 1: 5874 680 55763 231 26855 959 37455 550

typedef struct {
    __global const int *row;
    int length;
} view;

__kernel void handover(__global const int *data, __global int *out)
{
    __local view views[8];
    int l = get_local_id(0), n = get_local_size(0);
    int g = get_global_id(0);
    views[l].row = data + 2 * g;
    views[l].length = 1 + g % 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    view mine[2];
    mine[0] = views[n - 1 - l];
    mine[1] = views[(l + 1) % n];
    int s = 0;
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < mine[k].length; j++)
            s = s * 10 + mine[k].row[j];
    out[g] = s;
}
