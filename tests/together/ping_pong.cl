// Two kernels hand a number back and forth through one volatile word, each adding its own part.
//
// launch: -k ping -g 1 -a zero:1 -a zero:1 -a 6
// with: -k pong -g 1 -a same:0 -a same:1 -a 6
// expect 0: 12
// expect 1: 666

__kernel void ping(__global volatile int *turn, __global int *sum, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        while (*turn != 2 * i)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += 11;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *turn = 2 * i + 1;
    }
}

__kernel void pong(__global volatile int *turn, __global int *sum, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        while (*turn != 2 * i + 1)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += 100;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *turn = 2 * i + 2;
    }
}
