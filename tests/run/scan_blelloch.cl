// Work-efficient exclusive scan, up-sweep and down-sweep, two elements per
// work-item; the block totals go to a second buffer.
//
// launch: -k scan -g 16 -l 8 -a rand:32:911:0:9 -a zero:32 -a zero:2
// expect 1: 0 8 8 16 22 22 26 28 33 37 42 49 53 54 58 61 0 8 9 18 26 35 35 38 42 51 53 62 62 64 73 75
// expect 2: 63 81

__kernel void scan(__global const uint *in, __global uint *out, __global uint *totals)
{
    __local uint t[16];
    uint l = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n;
    t[2 * l] = in[base + 2 * l];
    t[2 * l + 1] = in[base + 2 * l + 1];
    uint stride = 1;
    for (uint d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint i = stride * (2 * l + 1) - 1, j = stride * (2 * l + 2) - 1;
            t[j] += t[i];
        }
        stride *= 2;
    }
    if (l == 0) {
        totals[get_group_id(0)] = t[n - 1];
        t[n - 1] = 0;
    }
    for (uint d = 1; d < n; d *= 2) {
        stride >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint i = stride * (2 * l + 1) - 1, j = stride * (2 * l + 2) - 1;
            uint swap = t[i];
            t[i] = t[j];
            t[j] += swap;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = t[2 * l];
    out[base + 2 * l + 1] = t[2 * l + 1];
}
