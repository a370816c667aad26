// Random walks: an LCG and a xorshift per work-item estimate pi and a walk's
// extremes; all integer, so that every implementation gives the same results.
//
// launch: -k walk -g 16 -l 8 -a 12345 -a 40 -a zero:16 -a zero:16
// expect 2: 31 34 26 34 28 34 34 32 33 28 31 37 31 32 33 36
// expect 3: -1 13 -1 13 -3 6 -3 6 -1 5 -1 5 -6 0 -6 0 -2 16 -2 16 -6 1 -6 1 -5 10 -5 10 -7 8 -7 8

uint lcg(uint *s)
{
    *s = *s * 1664525u + 1013904223u;
    return *s >> 16;
}

uint xorshift(uint *s)
{
    uint x = *s;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *s = x;
}

__kernel void walk(uint seed, int throws, __global int *inside, __global short2 *extremes)
{
    uint id = get_global_id(0);
    uint a = seed + id * 7919u, b = (seed ^ id) | 1u;
    int hits = 0, at = 0;
    short2 e = (short2)(0, 0);
    for (int i = 0; i < throws; i++) {
        uint x = lcg(&a), y = lcg(&a);
        hits += (ulong)x * x + (ulong)y * y < (1UL << 32);
        at += xorshift(&b) & 64 ? 1 : -1;
        e.x = min(e.x, (short)at);
        e.y = max(e.y, (short)at);
    }
    inside[id] = hits;
    extremes[id] = e;
}
