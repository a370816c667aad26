// A loop that the whole group leaves by break or repeats by continue, depending on a
// sum in local memory, between one barrier and the next.
//
// launch: -k grow -g 35 -l 7 -a rand:35:2311:1:20 -a 160 -a zero:35 -a zero:5
// expect 2: 17 25 28 22 23 28 25 23 30 17 20 18 19 19 37 19 18 27 34 16 15 31 19 23 26 35 20 18 30 15 22 23 24 27 25
// expect 3: 1001 1204 1102 1102 1201
// launch: -k grow -g 32 -l 16 -a rand:32:2312:1:20 -a 10000 -a zero:32 -a zero:2
// expect 2: 31 16 10 16 14 23 10 16 11 12 31 22 24 36 31 16 17 30 15 20 23 14 32 26 25 8 17 10 15 28 32 19
// expect 3: 1204 1206
// launch: -k grow -g 4 -l 1 -a rand:4:2313:1:20 -a 15 -a zero:4 -a zero:4
// expect 2: 16 4 16 4
// expect 3: 100 1200 300 1200

__kernel void grow(__global const int *in, int limit, __global int *out, __global int *log)
{
    __local int t[32], sum;
    const int l = get_local_id(0), n = get_local_size(0);
    t[l] = in[get_global_id(0)];
    int rounds = 0, skipped = 0;
    while (rounds < 12) {
        if (l == 0)
            sum = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_add(&sum, t[l]);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int all = sum;
        rounds++;
        if (all > limit)
            break;
        if (all % 3 == 0) {
            if (l == 0)
                t[0]++;
            skipped++;
            barrier(CLK_LOCAL_MEM_FENCE);
            continue;
        }
        const int before = t[(l + n - 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += before % 4;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l];
    if (l == 0)
        log[get_group_id(0)] = rounds * 100 + skipped;
}
