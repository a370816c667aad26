// Private arrays too large for the chip: every datapath has its own, though an atomic operation makes
// all share a cache.
//
// launch: -g 2 -l 1 -a values:15,7,3,0,5,6,7,8,1,2,3,4,5,6,7,8 -a local:16 -a zero:4 -a zero:32
// expect 3: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
__kernel void swap(__global const int *in, __local int4 *tile, volatile __global uint *tally,
                   __global int *out)
{
    const size_t item = get_global_id(0);
    tile[get_local_id(0)] = (int4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    int3 pairs[4] = { (int3)(0), (int3)(0, in[item & 15], 0), (int3)(0), (int3)(0) };
    pairs[1] = pairs[(uint)item % 3u];
    atomic_xor(&tally[0], 0u);
    vstore3(pairs[1], 0, out + item * 12 + 3);
}
