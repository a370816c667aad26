// The barrier stands in a helper function that is called from two places, once
// in a loop; the local array is handed over by pointer.
//
// launch: -k smooth -g 16 -l 8 -a rand:16:231:0:255 -a 3 -a zero:16
// expect 2: 1219 1490 1669 1639 1540 1444 1436 1498 1144 1218 1091 907 1051 1505 1884 2035
// launch: -k smooth -g 16 -l 16 -a rand:16:231:0:255 -a 2 -a zero:16
// expect 2: 1033 1265 1116 819 1030 1601 1904 1688 1535 1715 1754 1588 1458 1359 1364 1519

int exchange(__local int *buf, int value, int from)
{
    buf[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    int got = buf[from];
    barrier(CLK_LOCAL_MEM_FENCE);
    return got;
}

__kernel void smooth(__global const int *in, int rounds, __global int *out)
{
    __local int scratch[16];
    int l = get_local_id(0), last = get_local_size(0) - 1;
    int v = in[get_global_id(0)];
    for (int r = 0; r < rounds; r++) {
        int left = exchange(scratch, v, max(l - 1, 0));
        int right = exchange(scratch, v, min(l + 1, last));
        v = (left + 2 * v + right + 2) / 4;
    }
    int opposite = exchange(scratch, v * 10, last - l);
    out[get_global_id(0)] = v + opposite;
}
