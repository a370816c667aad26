// Static local arrays of two types: each work-group reverses its part and
// takes its neighbours' values across a barrier.
//
// launch: -k reverse -g 24 -l 8 -a rand:24:201:0:999 -a zero:24 -a zero:24
// expect 1: 553 841 948 448 857 794 604 812 85 420 939 162 658 954 679 625 352 109 192 254 603 339 490 800
// expect 2: 0 0 0 1 1 2 2 2 0 0 1 1 1 2 2 2 0 0 0 1 1 1 1 1
// launch: -k reverse -g 24 -l 12 -a rand:24:201:0:999 -a zero:24 -a zero:24
// expect 1: 658 954 679 625 553 841 948 448 857 794 604 812 352 109 192 254 603 339 490 800 85 420 939 162
// expect 2: 0 0 0 1 1 2 2 2 2 2 3 3 0 1 1 1 2 2 2 3 3 3 3 3

__kernel void reverse(__global const int *in, __global int *out, __global short *peaks)
{
    __local int tile[16];
    __local uchar is_peak[16];
    size_t l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    tile[l] = in[g];
    is_peak[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[n - 1 - l];
    if (l > 0 && l < n - 1 && tile[l] > tile[l - 1] && tile[l] > tile[l + 1])
        is_peak[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    short count = 0;
    for (size_t k = 0; k <= l; k++)
        count += is_peak[k];
    peaks[g] = count;
}
