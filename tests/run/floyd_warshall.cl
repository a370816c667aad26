// All shortest paths by one group with a barrier per pivot, beside one pivot
// step as its own launch; unreachable is a large number.
//
// launch: -k all_pivots -g 5,5 -l 5,5 -a values:0,3,9999,7,9999,8,0,2,9999,9999,5,9999,0,1,9999,2,9999,9999,0,4,9999,1,9999,9999,0
// expect 0: 0 3 5 6 10 5 0 2 3 7 3 6 0 1 5 2 5 7 0 4 6 1 3 4 0
// launch: -k one_pivot -g 5,5 -l 5,1 -a 1 -a values:0,3,9999,7,9999,8,0,2,9999,9999,5,9999,0,1,9999,2,9999,9999,0,4,9999,1,9999,9999,0 -a zero:25
// expect 2: 0 3 5 7 9999 8 0 2 9999 9999 5 9999 0 1 9999 2 9999 9999 0 4 9 1 3 9999 0

__kernel void all_pivots(__global int *d)
{
    int j = get_local_id(0), i = get_local_id(1), n = get_local_size(0);
    for (int k = 0; k < n; k++) {
        int through = d[i * n + k] + d[k * n + j];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (through < d[i * n + j])
            d[i * n + j] = through;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

__kernel void one_pivot(int k, __global const int *d, __global int *out)
{
    int j = get_global_id(0), i = get_global_id(1), n = get_global_size(0);
    out[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
