__kernel void turn(__global const int *restrict x, __global int *restrict y, __global int *restrict z) {
    int i = get_global_id(0);
    y[i] = __burst_coalesced_cached_load(&x[i], 4096);
    barrier(CLK_GLOBAL_MEM_FENCE);
    __burst_coalesced_store(&z[i], __prefetching_load(&y[15 - i]));
}
