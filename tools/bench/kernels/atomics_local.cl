// Counts words in local memory: `each` per work-item.
#define BINS 256

__kernel __attribute__((reqd_work_group_size(BINS, 1, 1)))
void atomics_local(__global const uint *words, __global uint *out, int each)
{
    __local uint counts[BINS];
    const int item = get_local_id(0);
    counts[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int first = get_group_id(0) * BINS * each + item;
    for (int i = 0; i < each; i++)
        atomic_inc(&counts[words[first + i * BINS] % BINS]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = counts[item];
}
