// A weighted histogram by one work-item of each group in local memory.
//
// launch: -k histogram -g 4 -l 2 -a rand:40:3214:0:7 -a rand:40:3215:-9:9 -a zero:16
// expect 2: -12 -8 -4 -7 -18 -9 5 -1 100 98 95 116 112 96 105 101

__kernel void histogram(__global const int *x, __global const int *weight, __global int *out)
{
    __local int bins[8];
    int l = get_local_id(0), group = get_group_id(0);
    for (int b = l; b < 8; b += 2)
        bins[b] = 100 * group;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 1)
        for (int i = 0; i < 20; i++)
            bins[x[group * 20 + i]] += weight[group * 20 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = l; b < 8; b += 2)
        out[group * 8 + b] = bins[b];
}
