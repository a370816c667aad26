// Private counters per work-item packed in local memory, summed over the
// group and added to the global histogram.
//
// launch: -k histogram -g 32 -l 8 -a rand:256:821 -a 256 -a zero:16
// expect 2: 15 13 25 11 9 12 20 12 21 17 10 12 20 18 23 18
// launch: -k histogram -g 16 -l 16 -a rand:256:821 -a 250 -a zero:16
// expect 2: 15 12 24 11 9 12 18 12 21 17 10 12 20 18 21 18

#define BINS 16
__kernel void histogram(__global const uchar *data, int n, __global int *bins)
{
    __local ushort mine[16][BINS];
    int l = get_local_id(0);
    for (int b = 0; b < BINS; b++)
        mine[l][b] = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        mine[l][data[i] >> 4]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = l; b < BINS; b += get_local_size(0)) {
        int s = 0;
        for (int k = 0; k < get_local_size(0); k++)
            s += mine[k][b];
        if (s)
            atomic_add(&bins[b], s);
    }
}
