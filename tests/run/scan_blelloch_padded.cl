// Work-efficient exclusive scan with two elements per work-item; every
// sixteenth word of local memory is left free, as one does against conflicts of
// banks.
//
// launch: -k exclusive -g 128 -l 128 -a rand:256:2051:-9:9 -a zero:256 -a zero:1 -D ITEMS=128
// expect 1: 0 7 12 20 26 26 32 37 29 23 15 13 5 7 16 10 12 8 4 6 3 11 14 22 13 9 0 0 -4 -13 -20 -24 -24 -21 -24 -28 -24
// expect 1: -28 -35 -40 -42 -41 -34 -25 -27 -30 -35 -39 -30 -30 -26 -20 -18 -20 -18 -17 -17 -17 -10 -3 -5 0 6 11 14 11
// expect 1: 20 16 14 17 15 19 27 20 13 21 27 26 23 26 32 35 26 26 24 19 24 26 18 25 34 39 32 33 35 37 42 39 38 34 34 39
// expect 1: 30 24 32 24 31 27 32 34 42 37 29 38 35 43 37 46 50 49 46 37 32 41 43 46 50 41 49 55 54 54 50 58 67 70 74 73
// expect 1: 82 82 85 78 76 71 64 72 80 89 88 90 97 97 99 95 98 91 93 97 92 90 87 84 80 78 70 78 77 77 72 66 57 59 52 45
// expect 1: 40 32 33 26 30 22 24 25 22 22 23 17 26 28 19 19 14 23 14 19 17 11 7 -1 -2 -11 -12 -9 -5 -9 -8 -9 -1 2 -4
// expect 1: -12 -21 -20 -14 -11 -7 -4 -10 -9 -1 0 -1 2 -7 -2 -1 8 17 23 27 23 27 34 27 24 32 40 40 45 47 40 48 56 57 58
// expect 1: 54 60 61 64 70 69 63 59 66 62 63 59
// expect 2: 64
// launch: -k exclusive -g 48 -l 16 -a rand:96:2052:-9:9 -a zero:96 -a zero:3 -D ITEMS=16
// expect 1: 0 4 9 14 23 15 23 28 32 26 24 19 22 22 19 24 26 18 27 26 32 39 41 50 59 50 50 51 52 46 53 54 0 0 8 5 4 12 3
// expect 1: -4 -13 -12 -4 1 4 -2 6 13 10 14 5 3 -5 -11 -13 -19 -25 -29 -26 -23 -16 -16 -11 -3 0 -2 2 0 -2 -10 -14 -23
// expect 1: -30 -30 -36 -28 -28 -35 -31 -22 -22 -16 -12 -18 -13 -6 -8 -10 -13 -17 -12 -7 -4 5 11 16
// expect 2: 59 1 10
// launch: -k exclusive -g 2 -l 1 -a rand:4:2053:-9:9 -a zero:4 -a zero:2 -D ITEMS=1
// expect 1: 0 8 0 5
// expect 2: 1 13

#define AT(i) ((i) + (i) / 16)

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void exclusive(__global const short *in, __global int *out, __global int *total)
{
    __local int t[AT(2 * ITEMS - 1) + 1];
    const int l = get_local_id(0), base = get_group_id(0) * 2 * ITEMS;
    t[AT(l)] = in[base + l];
    t[AT(l + ITEMS)] = in[base + l + ITEMS];
    int stride = 1;
    for (int active = ITEMS; active > 0; active >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active) {
            const int right = stride * (2 * l + 2) - 1;
            t[AT(right)] += t[AT(right - stride)];
        }
        stride *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        total[get_group_id(0)] = t[AT(2 * ITEMS - 1)];
        t[AT(2 * ITEMS - 1)] = 0;
    }
    for (int active = 1; active <= ITEMS; active <<= 1) {
        stride /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active) {
            const int right = stride * (2 * l + 2) - 1;
            const int left = t[AT(right - stride)];
            t[AT(right - stride)] = t[AT(right)];
            t[AT(right)] += left;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = t[AT(l)];
    out[base + l + ITEMS] = t[AT(l + ITEMS)];
}
