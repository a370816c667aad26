__kernel void group_sums(__global const int *x, __global int *sums, __global int *total,
                         __local int *part) {
    int item = get_local_id(0);
    part[item] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (item < step)
            part[item] += part[item + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0) {
        sums[get_group_id(0)] = part[0];
        atomic_add(total, part[0]);
    }
}
