// Recurrences through local memory at distances one and five, by one work-item of each group.
//
// launch: -k recur -g 8 -l 4 -a rand:32:3115:0:99 -a zero:32
// expect 1: 96 340 74 271 870 549 591 473 464 479 625 786 508 381 949 264 27 91 342 19 86 305 954 646 879 765 268
// expect 1: 700 424 712 978 735

__kernel void recur(__global const int *x, __global int *y)
{
    __local int t[16];
    int l = get_local_id(0);
    for (int i = l; i < 16; i += 4)
        t[i] = x[get_group_id(0) * 16 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (int i = 1; i < 16; i++)
            t[i] = (t[i] + 3 * t[i - 1]) & 1023;
        for (int i = 5; i < 16; i++)
            t[i] ^= t[i - 5];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < 16; i += 4)
        y[get_group_id(0) * 16 + i] = t[i];
}
