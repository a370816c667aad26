// The sum of each work-group's elements: a tree in local memory, a barrier per level.
//
// launch: -g 32 -l 8 -a iota:32 -a local:32 -a zero:4
// expect 2: 28 92 156 220
__kernel void reduce(__global const int *in, __local int *tile, __global int *sums) {
    size_t lid = get_local_id(0);
    tile[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        if (lid < half_size)
            tile[lid] += tile[lid + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        sums[get_group_id(0)] = tile[0];
}
