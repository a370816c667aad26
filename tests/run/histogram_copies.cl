// A group counts into several copies in local memory by atomics, merges them, and
// adds them to the global bins; the fullest bin of each group on the side.
//
// launch: -k merged -g 64 -l 16 -a rand:500:2101 -a 500 -a zero:32 -a zero:4
// expect 2: 18 13 16 13 13 17 16 26 13 18 14 15 12 17 13 17 12 14 15 20 8 22 16 11 13 14 13 17 13 17 27 17
// expect 3: 8 8 7 9
// launch: -k merged -g 256 -l 256 -a rand:333:2102 -a 333 -a zero:32 -a zero:1
// expect 2: 15 13 10 8 15 13 9 8 12 7 7 10 7 15 12 11 8 11 6 12 13 7 18 10 12 5 12 11 4 15 11 6
// expect 3: 18
// launch: -k merged -g 7 -l 1 -a rand:50:2103 -a 50 -a zero:32 -a zero:7
// expect 2: 0 1 1 0 2 4 1 0 0 0 1 1 4 0 2 1 2 0 7 4 3 4 0 1 1 2 1 0 1 2 3 1
// expect 3: 2 2 1 3 1 2 2
// launch: -k merged -g 33 -l 11 -a rand:130:2104 -a 130 -a zero:32 -a zero:3
// expect 2: 3 3 5 5 1 3 9 5 4 4 5 3 6 5 6 6 0 2 5 3 5 3 3 5 2 2 5 3 6 3 7 3
// expect 3: 3 6 3

#define BINS 32
#define COPIES 4

__kernel void merged(__global const uchar *in, uint n, __global uint *bins, __global uint *fullest)
{
    __local uint count[COPIES][BINS];
    __local uint most;
    const uint l = get_local_id(0), size = get_local_size(0);
    for (uint i = l; i < COPIES * BINS; i += size)
        count[i / BINS][i % BINS] = 0;
    if (l == 0)
        most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&count[l % COPIES][in[i] / 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = l; b < BINS; b += size) {
        uint sum = 0;
        for (uint c = 0; c < COPIES; c++)
            sum += count[c][b];
        if (sum != 0)
            atomic_add(&bins[b], sum);
        atomic_max(&most, sum);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        fullest[get_group_id(0)] = most;
}
