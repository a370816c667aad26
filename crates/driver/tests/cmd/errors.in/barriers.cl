__kernel void k(__global int *out, __local int *flag) {
    int l = get_local_id(0);
    if (l == 0)
        *flag = out[0];
    int is_set = *flag;
    if (is_set == l)
        barrier(CLK_LOCAL_MEM_FENCE);
    else if (l < 3)
        barrier(CLK_GLOBAL_MEM_FENCE);
    out[l] = l;
}
