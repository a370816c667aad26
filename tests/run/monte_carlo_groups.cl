// Points in a quarter circle by a linear congruential generator per work-item;
// hits and the farthest point go through a tree of uint2, the hits of all groups
// through one atomic.
//
// launch: -k circle -g 48 -l 16 -a 12345 -a 20 -a local:128 -a zero:3 -a zero:1
// expect 3: 259 2008714445 259 1908659825 250 2056551433
// expect 4: 768
// launch: -k circle -g 20 -l 5 -a 99 -a 11 -a local:40 -a zero:4 -a zero:1
// expect 3: 43 1873026625 50 1883104469 40 1958320340 44 1933724466
// expect 4: 177
// launch: -k circle -g 3 -l 1 -a 7 -a 50 -a local:8 -a zero:3 -a zero:1
// expect 3: 40 1646619741 42 1732041506 39 1779069557
// expect 4: 121
// launch: -k circle -g 128 -l 128 -a 4000000000 -a 4 -a local:1024 -a zero:1 -a zero:1
// expect 3: 401 2034782005
// expect 4: 401

__kernel void circle(uint seed, int draws, __local uint2 *t, __global uint2 *parts, volatile __global uint *total)
{
    const uint l = get_local_id(0);
    uint state = seed + (uint)get_global_id(0) * 2654435761u, hits = 0, farthest = 0;
    for (int i = 0; i < draws; i++) {
        state = state * 1664525u + 1013904223u;
        const uint x = state >> 17;
        state = state * 1664525u + 1013904223u;
        const uint y = state >> 17;
        const uint radius = x * x + y * y;
        hits += radius < 1u << 30;
        farthest = max(farthest, radius);
    }
    t[l] = (uint2)(hits, farthest);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint live = get_local_size(0); live > 1; live = (live + 1) / 2) {
        const uint keep = (live + 1) / 2;
        if (l + keep < live) {
            const uint2 other = t[l + keep];
            t[l] = (uint2)(t[l].x + other.x, max(t[l].y, other.y));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) {
        parts[get_group_id(0)] = t[0];
        atomic_add(total, t[0].x);
    }
}
