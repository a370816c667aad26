// Bitonic sort of one block in local memory, ascending or descending, by keys
// with a payload.
//
// launch: -k bitonic -g 16 -l 16 -a rand:32:931:0:999 -a iota:32 -a 1
// expect 0: 27 105 242 249 279 312 366 405 442 462 483 622 632 638 644 679 693 750 769 770 840 846 847 848 904 909
// expect 0: 952 957 960 983 992 997
// expect 1: 0 3 6 15 16 5 18 23 24 29 14 9 22 1 13 27 17 19 31 4 20 2 12 11 26 7 8 10 21 30 28 25
// launch: -k bitonic -g 8 -l 8 -a rand:16:932 -a iota:16 -a 0
// expect 0: 3806842545 3744544139 3306542797 3135709511 3031248641 3013778867 2623791505 2244675292 1782922576
// expect 0: 1554790731 1460119574 821152825 783057554 559348933 267385336 33352812
// expect 1: 1 4 9 12 15 11 13 0 6 14 7 5 8 2 10 3

void order(__local uint *key, __local uint *payload, int i, int j, bool up)
{
    if ((key[i] > key[j]) == up) {
        uint k = key[i], p = payload[i];
        key[i] = key[j];
        payload[i] = payload[j];
        key[j] = k;
        payload[j] = p;
    }
}

__kernel void bitonic(__global uint *keys, __global uint *payloads, int ascending)
{
    __local uint k[32], p[32];
    int l = get_local_id(0), n = 2 * get_local_size(0);
    for (int i = l; i < n; i += n / 2) {
        k[i] = keys[i];
        p[i] = payloads[i];
    }
    for (int size = 2; size <= n; size *= 2) {
        bool up = ((l & (size / 2)) == 0) == (ascending != 0);
        for (int stride = size / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int i = 2 * l - (l & (stride - 1));
            order(k, p, i, i + stride, up);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < n; i += n / 2) {
        keys[i] = k[i];
        payloads[i] = p[i];
    }
}
