// One work-item chases pointers in local memory: LOADS loads per round, each dependent on the last.
#define WORDS 64

__kernel __attribute__((reqd_work_group_size(WORDS, 1, 1)))
void chase_local(__global const uint *next, __global uint *end, int rounds)
{
    __local uint words[WORDS];
    const int item = get_local_id(0);
    words[item] = next[item];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item != 0)
        return;
    uint at = 0;
    for (int round = 0; round < rounds; round++)
        for (int load = 0; load < LOADS; load++)
            at = words[at];
    *end = at;
}
