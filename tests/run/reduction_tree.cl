// Sum, minimum and maximum by a halving tree in local memory, for group sizes
// that are powers of two and for one that is not.
//
// launch: -k reduce -g 64 -l 16 -a rand:64:881:-1000:1000 -a local:64 -a local:128 -a zero:4 -a zero:4
// expect 3: -245 526 -2179 -2635
// expect 4: -847 683 -928 904 -898 672 -909 647
// launch: -k reduce -g 39 -l 13 -a rand:39:882:-1000:1000 -a local:52 -a local:104 -a zero:3 -a zero:3
// expect 3: -265 1308 1983
// expect 4: -852 990 -897 733 -828 901

__kernel void reduce(__global const int *in, __local int *sum, __local int2 *range, __global int *sums, __global int2 *ranges)
{
    int l = get_local_id(0), n = get_local_size(0);
    int v = in[get_global_id(0)];
    sum[l] = v;
    range[l] = (int2)(v, v);
    barrier(CLK_LOCAL_MEM_FENCE);
    while (n > 1) {
        int upper = (n + 1) / 2;
        if (l < n / 2) {
            sum[l] += sum[l + upper];
            range[l].x = min(range[l].x, range[l + upper].x);
            range[l].y = max(range[l].y, range[l + upper].y);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        n = upper;
    }
    if (l == 0) {
        sums[get_group_id(0)] = sum[0];
        ranges[get_group_id(0)] = range[0];
    }
}
