// Run-length encoding: heads of runs found in parallel, positions by a scan,
// lengths from neighbouring heads; then decoding by binary search.
//
// launch: -k encode -g 16 -l 16 -a values:5,5,5,2,2,9,9,9,9,9,1,3,3,3,3,3 -a zero:16 -a zero:16 -a zero:1
// expect 1: 5 2 9 1 3 0 0 0 0 0 0 0 0 0 0 0
// expect 2: 3 2 5 1 5 0 0 0 0 0 0 0 0 0 0 0
// expect 3: 5
// launch: -k decode -g 16 -l 4 -a values:5,2,9,1,3 -a values:0,3,5,10,11,16 -a 5 -a zero:16
// expect 3: 5 5 5 2 2 9 9 9 9 9 1 3 3 3 3 3

__kernel void encode(__global const uchar *in, __global uchar *symbol, __global int *length, __global int *runs)
{
    __local int rank[16], begin[17];
    int l = get_local_id(0), n = get_local_size(0);
    int head = l == 0 || in[l] != in[l - 1];
    rank[l] = head;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < n; d *= 2) {
        int v = rank[l] + (l >= d ? rank[l - d] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        rank[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int total = rank[n - 1], r = rank[l] - 1;
    if (head)
        begin[r] = l;
    if (l == 0)
        begin[total] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (head) {
        symbol[r] = in[l];
        length[r] = begin[r + 1] - l;
    }
    if (l == n - 1)
        *runs = total;
}

__kernel void decode(__global const uchar *symbol, __global const int *start, int runs, __global uchar *out)
{
    int i = get_global_id(0), lo = 0, hi = runs;
    while (hi - lo > 1) {
        int mid = (lo + hi) / 2;
        if (start[mid] <= i)
            lo = mid;
        else
            hi = mid;
    }
    out[i] = symbol[lo];
}
