__kernel void k(__global int *out) {
    __local int t[1 << 23];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l ^ 1];
}
