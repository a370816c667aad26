// Sieve of Eratosthenes of a segment per group in local bytes, strikes by
// all work-items, then count by atomics.
//
// launch: -k sieve -g 32 -l 8 -a 100 -a zero:4 -a zero:128
// expect 1: 7 6 6 5
// expect 2: 0 1 0 1 0 0 0 1 0 1 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 1 0 0 0 0 0 1 0 1 0 0 0 0 0 0 0 0 0 1 0 1 0
// expect 2: 0 0 0 0 1 0 0 0 0 0 1 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 1 0 0 0 0 0 0 0 0 0 1 0 1 0 0 0 1 0 1 0 0 0 0 0 0
// expect 2: 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 1

__kernel void sieve(uint base, __global uint *counts, __global uchar *flags)
{
    __local uchar composite[32];
    __local uint count;
    uint l = get_local_id(0), lo = base + get_group_id(0) * 32;
    for (uint k = l; k < 32; k += 8)
        composite[k] = 0;
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = 2; p * p < lo + 32; p++) {
        uint first = (lo + p - 1) / p * p;
        for (uint m = max(first, p * p) + l * p; m < lo + 32; m += 8 * p)
            composite[m - lo] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = l; k < 32; k += 8) {
        flags[get_group_id(0) * 32 + k] = !composite[k];
        if (!composite[k])
            atomic_inc(&count);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        counts[get_group_id(0)] = count;
}
