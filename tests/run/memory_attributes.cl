// Attributes of memory: banks of local variables and of a local parameter, the memories of buffers, and those that have
// no effect.
//
// launch: -k turn -g 16 -l 16 -a iota:16 -a zero:16 -a local:64
// expect 1: 0 5 10 15 20 25 30 35 40 45 50 55 60 65 70 75

#define ROW 4
#define BANKS (1 << 2)

__kernel void turn(__global const int *restrict in __attribute__((buffer_location("DDR1"))),
                   __attribute__((buffer_location("DDR0"))) __global int *restrict out,
                   __local int *half_turned __attribute__((numbanks(2))))
{
    __attribute__((memory, numbanks(BANKS), bankwidth(ROW * 4))) __local int square[ROW][ROW];
    __local int single[ROW * ROW] __attribute__((numbanks(1)));
    __local int parts[ROW * ROW] __attribute__((xcl_array_partition(cyclic, ROW, 1)));
    int own[ROW] __attribute__((register));
    int i = get_global_id(0);
    square[i % ROW][i / ROW] = in[i];
    single[15 - i] = in[i];
    parts[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < ROW; k++)
        own[k] = square[i % ROW][i / ROW] + k;
    half_turned[i] = single[15 - i] + own[i % ROW] - i % ROW;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = half_turned[i] + 2 * parts[i] + i;
}
