// One work-item follows words of global memory: LOADS loads per round, each waiting for the last.
__kernel void chase_global(__global const uint *next, __global uint *end, int rounds)
{
    uint at = 0;
    for (int round = 0; round < rounds; round++)
        for (int load = 0; load < LOADS; load++)
            at = next[at];
    *end = at;
}
