// Local atomics on 64-bit counters, a local float exchanged by a single
// owner, and compare-exchange that elects exactly one winner per slot.
//
// launch: -k elect -g 32 -l 16 -a rand:32:1331:1:1000000000000 -a zero:2 -a zero:2 -a zero:8
// expect 1: 16013467810029 18037618919822
// expect 2: 1.5 1.5
// expect 3: 10 11 12 13 10 11 12 13

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
__kernel void elect(__global const long *in, __global long *sums, __global float *handed, __global int *winners)
{
    __local long total, biggest;
    __local float token;
    __local int owner[4], won[4];
    int l = get_local_id(0), g = get_global_id(0);
    if (l < 4) {
        owner[l] = -1;
        won[l] = 0;
    }
    if (l == 0) {
        total = 0;
        biggest = LONG_MIN;
        token = 0.5f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&total, in[g]);
    atom_max(&biggest, in[g]);
    if (atomic_cmpxchg(&owner[l & 3], -1, l) == -1)
        atomic_inc(&won[l & 3]);
    if (l == 9)
        handed[get_group_id(0)] = atomic_xchg(&token, 2.0f) + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        sums[get_group_id(0)] = total * 2 + biggest + (long)token;
    if (l < 4)
        winners[get_group_id(0) * 4 + l] = won[l] * 10 + (owner[l] & 3);
}
