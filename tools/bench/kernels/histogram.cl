// A histogram of bytes: each group counts in local memory, then adds to the result.
#define BINS 256

__kernel __attribute__((reqd_work_group_size(BINS, 1, 1)))
void histogram(__global const uchar *in, __global uint *bins, int each)
{
    __local uint counts[BINS];
    const int item = get_local_id(0);
    counts[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int first = get_group_id(0) * BINS * each + item;
    for (int i = 0; i < each; i++)
        atomic_inc(&counts[in[first + i * BINS]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[item], counts[item]);
}
