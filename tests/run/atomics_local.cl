// Local counters updated atomically by the whole group, then combined into
// global ones; the results do not depend on the order of arrival.
//
// launch: -k votes -g 48 -l 16 -a rand:48:271:0:7 -a zero:8 -a zero:3 -a fill:3:100
// expect 1: 6 6 5 7 8 3 7 6
// expect 2: 538005 179003 21004
// expect 3: 0 0 0
// launch: -k votes -g 48 -l 24 -a rand:48:271:0:7 -a zero:8 -a zero:2 -a fill:2:100
// expect 1: 6 6 5 7 8 3 7 6
// expect 2: 1014003 16004
// expect 3: 2 1

__kernel void votes(__global const uchar *in, __global uint *total, __global int *spread, __global int *least)
{
    __local uint bins[8];
    __local int lo, hi, xored;
    int l = get_local_id(0);
    if (l < 8)
        bins[l] = 0;
    if (l == 0) {
        lo = INT_MAX;
        hi = INT_MIN;
        xored = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar v = in[get_global_id(0)];
    atomic_inc(&bins[v]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) {
        atomic_min(&lo, (int)bins[l]);
        atomic_max(&hi, (int)bins[l]);
        atomic_xor(&xored, (int)bins[l] << l);
        atomic_add(&total[l], bins[l]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        spread[get_group_id(0)] = hi - lo + 1000 * xored;
        atomic_min(&least[get_group_id(0)], lo);
    }
}
