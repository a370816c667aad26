// options: -Dsizeof_int=4 -Dbanks=3
// Memory units, banks and memories that the source chooses by hand.
kernel void choose(global const int *at __attribute__((buffer_location("DDR" "1"))), global const float4 *v,
                   __attribute__((buffer_location("HBM"))) global float4 *out, local int *near __attribute__((numbanks(2))))
{
    local int far[64] __attribute__((bankwidth(2 * sizeof_int), numbanks(1 << banks)));
    int i = get_local_id(0);
    far[i] = __pipelined_load(&near[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    int j = far[63 - i];
    __burst_coalesced_store(&out[i], __burst_coalesced_load(v + i) + __burst_coalesced_cached_load(&v[__prefetching_load(at + j)], 512));
    __pipelined_store(&near[i], j);
}
