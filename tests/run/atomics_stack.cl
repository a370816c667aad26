// A lock-free stack in local memory: every work-item pushes its node by
// compare-and-exchange of the top, then all pop concurrently until it is empty;
// sums and the sorted contents show that nothing got lost or doubled.
//
// launch: -k stack -g 16 -l 16 -a rand:16:2421:0:9999 -a zero:3 -a zero:16
// expect 1: 16 78806 7218
// expect 2: 694 947 1562 1994 2540 3491 4092 4221 4553 6137 6464 6895 7717 8110 9537 9852
// launch: -k stack -g 1 -l 1 -a rand:1:2422:0:9999 -a zero:3 -a zero:1
// expect 1: 1 4358 4358
// expect 2: 4358
// launch: -k stack -g 100 -l 100 -a rand:100:2423:0:9999 -a zero:3 -a zero:100
// expect 1: 100 475828 15452
// expect 2: 46 71 103 232 306 312 322 366 400 432 438 691 694 805 877 938 1130 1251 1343 1417 1722 1779 1855 2027 2086
// expect 2: 2177 2315 2416 2497 2594 2596 2607 2610 2856 2925 2954 2980 3113 3236 3244 3267 3433 3642 3669 3781 3822
// expect 2: 4159 4198 4309 4330 4339 4401 4557 4576 4803 4817 5000 5084 5299 5700 5737 5754 6057 6083 6161 6253 6425
// expect 2: 6553 6663 6824 7119 7204 7306 7946 7980 7984 8040 8306 8313 8346 8404 8457 8483 8612 8741 8868 9026 9201
// expect 2: 9239 9278 9332 9395 9437 9448 9708 9748 9758 9839 9898 9953

__kernel void stack(__global const int *in, __global int *sums, __global int *sorted)
{
    __local int value[128], below[128], popped[128];
    __local int top, count, sum, mix;
    const int l = get_local_id(0), n = get_local_size(0);
    value[l] = in[l];
    if (l == 0) {
        top = -1;
        count = 0;
        sum = 0;
        mix = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int seen = atomic_or(&top, 0), expected;
    do {
        expected = seen;
        below[l] = expected;
        seen = atomic_cmpxchg(&top, expected, l);
    } while (seen != expected);
    barrier(CLK_LOCAL_MEM_FENCE);
    int node = atomic_or(&top, 0);
    while (node >= 0) {
        const int found = atomic_cmpxchg(&top, node, below[node]);
        if (found != node) {
            node = found;
            continue;
        }
        popped[atomic_inc(&count)] = value[node];
        atomic_add(&sum, value[node]);
        atomic_xor(&mix, value[node]);
        node = atomic_or(&top, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int mine = popped[l];
    int rank = 0;
    for (int i = 0; i < n; i++)
        rank += popped[i] < mine || (popped[i] == mine && i < l);
    sorted[rank] = mine;
    if (l == 0) {
        sums[0] = count;
        sums[1] = sum;
        sums[2] = mix;
    }
}
