// One work-item chases pointers in global memory: LOADS loads per round, each dependent on the last.
__kernel void chase_global(__global const uint *next, __global uint *end, int rounds)
{
    uint at = 0;
    for (int round = 0; round < rounds; round++)
        for (int load = 0; load < LOADS; load++)
            at = next[at];
    *end = at;
}
