// A producer fills a ring of slots, a consumer empties it; both run at once and publish their progress in
// volatile counters. The ring is smaller than the stream, so neither can run ahead.
//
// launch: -k produce -g 1 -l 1 -a values:3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3 -a zero:4 -a zero:2 -a 16
// with: -k consume -g 1 -l 1 -a same:1 -a same:2 -a zero:16 -a 16
// expect 1: 9 7 9 3
// expect 2: 16 16
// expect 6: 7 3 9 3 11 19 5 13 11 7 11 17 19 15 19 7
// launch: -k produce -g 1 -l 1 -a values:7 -a zero:4 -a zero:2 -a 1
// with: -k consume -g 1 -l 1 -a same:1 -a same:2 -a zero:1 -a 1
// expect 1: 7 0 0 0
// expect 2: 1 1
// expect 6: 15

#define RING 4

__kernel void produce(__global const int *in, __global int *ring, __global volatile int *done, int n)
{
    for (int i = 0; i < n; i++) {
        while (i - done[1] >= RING)
            ;
        ring[i % RING] = in[i];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        done[0] = i + 1;
    }
}

__kernel void consume(__global int *ring, __global volatile int *done, __global int *out, int n)
{
    for (int i = 0; i < n; i++) {
        while (done[0] <= i)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        const int value = ring[i % RING];
        out[i] = 2 * value + 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        done[1] = i + 1;
    }
}
