// Addresses that are not a multiple of the element's size: in a buffer and in local memory.
//
// launch: -k k -g 8 -l 8 -a iota:64 -a zero:8 -a zero:8 -a 3
// expect 1: 50462976 0 0 0 252579084 0 0 0
// expect 2: 7 0 0 0 7 0 0 0

__kernel void k(__global uchar *bytes, __global int *out, __global int *local_out, int stride)
{
    __local uchar s[32] __attribute__((aligned(4)));
    int i = get_global_id(0);
    out[i] = *(__global int *)(bytes + stride * i);
    for (int j = 0; j < 4; j++)
        s[4 * i + j] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    *(__local int *)(s + stride * i) = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    local_out[i] = *(__local int *)(s + stride * i);
}
