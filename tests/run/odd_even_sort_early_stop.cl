// Odd-even transposition that stops when nothing moved: groups leave their loop
// after different numbers of rounds, all work-items of a group together.
//
// launch: -k settle -g 60 -l 15 -a rand:60:2121:0:60 -a zero:60 -a zero:4
// expect 1: 1 1 6 7 16 24 25 33 33 41 43 43 49 58 58 3 16 16 21 25 25 25 33 34 46 50 51 53 55 55 6 7 8 11 11 14 15 15
// expect 1: 23 25 26 32 47 51 57 8 9 10 15 16 18 18 25 26 31 34 37 49 51 54
// expect 2: 7 8 8 8
// launch: -k settle -g 40 -l 40 -a rand:40:2122:0:60 -a zero:40 -a zero:1
// expect 1: 0 0 1 1 5 5 7 11 11 15 16 18 19 20 20 23 24 25 25 28 28 28 28 35 36 38 40 41 43 44 47 48 50 54 56 56 57 57
// expect 1: 57 59
// expect 2: 17
// launch: -k settle -g 3 -l 1 -a rand:3:2123:0:60 -a zero:3 -a zero:3
// expect 1: 31 19 53
// expect 2: 1 1 1
// launch: -k settle -g 18 -l 6 -a values:1,2,3,4,5,6,6,5,4,3,2,1,1,3,2,4,-6,5 -a zero:18 -a zero:3
// expect 1: 1 2 3 4 5 6 1 2 3 4 5 6 -6 1 2 3 4 5
// expect 2: 1 4 4

__kernel void settle(__global const short *in, __global short *out, __global int *rounds)
{
    __local short t[64];
    __local int moved;
    const int l = get_local_id(0), n = get_local_size(0);
    t[l] = in[get_global_id(0)];
    int count = 0;
    for (;;) {
        if (l == 0)
            moved = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int phase = 0; phase < 2; phase++) {
            if (l % 2 == phase && l + 1 < n && t[l] > t[l + 1]) {
                const short keep = t[l];
                t[l] = t[l + 1];
                t[l + 1] = keep;
                atomic_or(&moved, 1);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        count++;
        const int again = moved;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!again)
            break;
    }
    out[get_global_id(0)] = t[l];
    if (l == 0)
        rounds[get_group_id(0)] = count;
}
