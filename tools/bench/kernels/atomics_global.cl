// Counts words in global memory: `each` per work-item; there are `last` + 1, a power of two.
__kernel void atomics_global(__global const uint *words, __global uint *counts, uint last, int each)
{
    const int item = get_global_id(0), items = get_global_size(0);
    for (int i = 0; i < each; i++)
        atomic_inc(&counts[words[item + i * items] & last]);
}
