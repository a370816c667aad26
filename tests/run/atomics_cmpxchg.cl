// Compare-and-exchange loops: a product modulo a prime and a saturating sum,
// both independent of order; atomic_xchg as a lock-free hand-over of one value
// per slot.
//
// launch: -k swap_loops -g 32 -l 8 -a rand:32:281:1:100 -a values:1,0 -a values:1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5 -a zero:8
// expect 1: 47112 1000
// expect 2: 0 4 8 12 16 20 24 28
// expect 3: 1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5

__kernel void swap_loops(__global const uint *in, volatile __global uint *acc, volatile __global float *slots, __global float *old)
{
    size_t i = get_global_id(0);
    uint x = in[i];
    uint seen = atomic_or(&acc[0], 0), assumed;
    do {
        assumed = seen;
        seen = atomic_cmpxchg(&acc[0], assumed, (uint)((ulong)assumed * x % 65521u));
    } while (seen != assumed);
    uint now;
    do {
        now = atomic_add(&acc[1], 0);
    } while (atomic_cmpxchg(&acc[1], now, min(now + x, 1000u)) != now);
    if (i % 4 == 0)
        old[i / 4] = atomic_xchg(&slots[i / 4], (float)i);
}
