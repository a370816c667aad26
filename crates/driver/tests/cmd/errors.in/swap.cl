__kernel void swap(__global int *out, __local int *t) {
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l ^ 1];
}
