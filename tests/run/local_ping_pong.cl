// Two buffers exchanged by their pointers after each round, one an argument and
// one the kernel's own; how many rounds a group makes is in memory.
//
// launch: -k relax -g 40 -l 10 -a rand:40:2381:0:99 -a values:3,0,4,1 -a local:40 -a zero:40
// expect 3: 59 56 51 50 48 41 32 30 37 45 31 29 2 21 21 38 43 1 71 45 44 53 64 66 58 44 35 38 50 59 63 69 55 46 36 24
// expect 3: 41 47 20 4
// launch: -k relax -g 2 -l 1 -a rand:2:2382:0:99 -a values:2,5 -a local:4 -a zero:2
// expect 3: 81 31
// launch: -k relax -g 100 -l 100 -a rand:100:2383:0:99 -a values:6 -a local:400 -a zero:100
// expect 3: 59 61 62 61 58 54 52 52 54 54 49 41 34 32 32 33 37 42 50 60 69 75 76 74 70 68 67 63 55 46 41 41 42 40 33 26
// expect 3: 24 27 34 40 42 42 42 44 47 50 52 51 47 42 40 44 50 55 56 53 49 47 46 46 45 48 56 64 67 62 55 52 56 64 69 68
// expect 3: 63 59 58 58 54 46 37 33 35 39 43 46 49 50 48 44 41 40 39 36 34 35 39 43 45 44 42 40

__kernel void relax(__global const int *in, __global const uchar *rounds, __local int *spare, __global int *out)
{
    __local int own[100];
    const int l = get_local_id(0), last = get_local_size(0) - 1;
    __local int *from = own, *to = spare;
    from[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds[get_group_id(0)]; r++) {
        to[l] = (from[max(l - 1, 0)] + 2 * from[l] + from[min(l + 1, last)] + r) / 4;
        barrier(CLK_LOCAL_MEM_FENCE);
        __local int *swap = from;
        from = to;
        to = swap;
    }
    out[get_global_id(0)] = from[l];
}
