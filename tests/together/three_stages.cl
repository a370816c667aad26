// Three kernels as a pipeline over blocks: read and scale, sum up within a work-group, check. Each
// waits until the one before has finished a block; groups of the middle one meet at barriers.
//
// launch: -k scale -g 4 -l 1 -a iota:32 -a zero:32 -a zero:4 -a 8
// with: -k sums -g 32 -l 8 -a same:1 -a same:2 -a zero:4 -a zero:4
// with: -k largest -g 1 -l 1 -a same:6 -a same:7 -a zero:1 -a 4
// expect 1: 0 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60 63 66 69 72 75 78 81 84 87 90 93
// expect 2: 1 1 1 1
// expect 6: 84 276 468 660
// expect 7: 1 1 1 1
// expect 10: 660

__kernel void scale(__global const int *in, __global int *out, __global volatile int *ready, int size)
{
    const int block = get_global_id(0);
    for (int i = block * size; i < (block + 1) * size; i++)
        out[i] = 3 * in[i];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    ready[block] = 1;
}

__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void sums(__global const int *in, __global volatile int *ready, __global int *sums_of,
          __global volatile int *done)
{
    __local int part[8];
    const int item = get_local_id(0), block = get_group_id(0);
    while (!ready[block])
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    part[item] = in[get_global_id(0)];
    for (int stride = 4; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < stride)
            part[item] += part[item + stride];
    }
    if (item == 0) {
        sums_of[block] = part[0];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        done[block] = 1;
    }
}

__kernel void largest(__global const int *sums_of, __global volatile int *done, __global int *out,
                      int blocks)
{
    int most = 0;
    for (int block = 0; block < blocks; block++) {
        while (!done[block])
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        most = max(most, sums_of[block]);
    }
    out[0] = most;
}
