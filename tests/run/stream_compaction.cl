// Keeps the elements that pass a test, in order: flags, prefix sums within
// the group, scatter; groups write to their own segment.
//
// launch: -k compact -g 32 -l 16 -a rand:32:921:-100:100 -a 10 -a fill:32:0 -a zero:2
// expect 2: 67 34 11 89 88 68 20 77 0 0 0 0 0 0 0 0 76 11 53 28 0 0 0 0 0 0 0 0 0 0 0 0
// expect 3: 8 4
// launch: -k compact -g 32 -l 32 -a rand:32:921:-100:100 -a -200 -a fill:32:0 -a zero:1
// expect 2: 67 34 -74 11 89 -46 -86 88 68 4 20 77 76 -34 11 -50 2 -16 8 53 -28 28 0 0 0 0 0 0 0 0 0 0
// expect 3: 22

__kernel void compact(__global const int *in, int threshold, __global int *out, __global int *kept)
{
    __local int at[32];
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    int v = in[g];
    int keep = v > threshold && v % 3 != 0;
    at[l] = keep;
    for (int d = 1; d < n; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int add = l >= d ? at[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        at[l] += add;
    }
    if (keep)
        out[g - l + at[l] - 1] = v;
    if (l == n - 1)
        kept[get_group_id(0)] = at[l];
}
