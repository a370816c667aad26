__kernel void k(__global int *out, int by, __global const uchar *bytes) {
    __local int s[64];
    int l = get_local_id(0);
    s[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l + by] = l == 0 ? *(__global const int *)(bytes + by + 1) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = s[l];
}
