// Loops around barriers whose trips depend on the group: the outer one's come
// from a buffer, the inner one's from the group's number, either may be none.
//
// launch: -k stir -g 40 -l 8 -a rand:40:2301 -a values:2,0,3,1,5 -a zero:40 -a zero:5
// expect 2: 4279482814 3727438008 3309790864 2068719534 3460254342 1168052870 3254498048 147047200 2147786480
// expect 2: 1692796373 2359792965 2673002739 3363468555 426730987 1077250104 2768318528 8 8 8 8 8 8 8 8 5 5 1 1 1 1 5 5
// expect 2: 112 112 112 112 112 112 112 112
// expect 3: 2 0 6 4 15
// launch: -k stir -g 3 -l 1 -a rand:3:2302 -a values:0,4,1 -a zero:3 -a zero:3
// expect 2: 2827726818 64 1
// expect 3: 0 5 3
// launch: -k stir -g 33 -l 33 -a rand:33:2303 -a values:3 -a zero:33 -a zero:1
// expect 2: 1478086358 1295727291 3667320427 1780699855 357990803 1435551658 3159790340 2227183085 3912781577
// expect 2: 3940791755 820592088 2273798351 3963322322 1308689051 926905713 1093910565 3813171795 2297571388 2223953517
// expect 2: 3830586056 2174586418 3733599019 887494006 2303931010 1037972349 2213819165 4277430336 556156184 1198536687
// expect 2: 1974330531 1855844173 2359455505 1252895374
// expect 3: 3
// launch: -k stir -g 15 -l 5 -a rand:15:2304 -a values:0,0,0 -a zero:15 -a zero:3
// expect 2: 2061995866 537851693 1344166014 1148922694 1184109089 1826485976 1430597063 3753593862 2868180592
// expect 2: 2326641680 192895819 121352009 2424585360 406826483 776712795
// expect 3: 0 0 0

__kernel void stir(__global const uint *in, __global const int *trips, __global uint *out, __global int *rounds)
{
    __local uint t[64];
    const int l = get_local_id(0), n = get_local_size(0), group = get_group_id(0);
    int count = 0;
    t[l] = in[get_global_id(0)];
    for (int r = 0; r < trips[group]; r++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint next = t[l + 1 < n ? l + 1 : 0];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = t[l] * 3 + next;
        count++;
        for (int k = group; k > r; k--) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const uint opposite = t[n - 1 - l];
            barrier(CLK_LOCAL_MEM_FENCE);
            t[l] ^= opposite + k;
            count++;
        }
    }
    out[get_global_id(0)] = t[l];
    if (l == n - 1)
        rounds[group] = count;
}
