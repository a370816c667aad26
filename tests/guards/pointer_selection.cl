// A pointer to one of two arrays: an access outside of both has no effect.
//
// launch: -k k -g 8 -l 8 -a zero:8 -a 0
// expect 0: 0 1 2 3 0 0 0 0
// launch: -k k -g 8 -l 8 -a zero:8 -a 1
// expect 0: 100 101 102 103 0 0 0 0

__kernel void k(__global int *out, int which)
{
    __local int a[4], b[4];
    int l = get_local_id(0);
    if (l < 4) {
        a[l] = l;
        b[l] = 100 + l;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *p = which ? b : a;
    out[l] = l < 4 ? p[l] : p[64 * l];
}
