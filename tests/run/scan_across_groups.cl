// Exclusive scan of more than a group's worth: blocks, then the blocks' sums by
// one group, then the carries are added; a launch each.
//
// launch: -k blocks -g 96 -l 16 -a rand:90:2041:0:99 -a 90 -a local:128 -a zero:90 -a zero:6
// expect 3: 0 15 31 53 100 184 243 270 311 399 459 489 575 654 701 785 0 4 77 108 180 249 297 359 455 499 564 607 656
// expect 3: 740 823 885 0 2 68 166 170 233 322 413 427 475 476 532 596 665 669 746 0 63 133 205 242 258 292 371 418 504
// expect 3: 528 592 672 710 797 894 0 58 119 187 200 241 303 312 317 336 384 392 440 497 580 659 0 26 125 223 291 315
// expect 3: 331 355 444 518
// expect 4: 859 974 783 928 747 554
// launch: -k carries -g 6 -l 6 -a values:859,974,783,928,747,554 -a local:48
// expect 0: 0 859 1833 2616 3544 4291
// launch: -k spread -g 96 -l 16 -a values:0,15,31,53,100,184,243,270,311,399,459,489,575,654,701,785,0,4,77,108,180,249,297,359,455,499,564,607,656,740,823,885,0,2,68,166,170,233,322,413,427,475,476,532,596,665,669,746,0,63,133,205,242,258,292,371,418,504,528,592,672,710,797,894,0,58,119,187,200,241,303,312,317,336,384,392,440,497,580,659,0,26,125,223,291,315,331,355,444,518 -a 90 -a values:0,859,1833,2616,3544,4291
// expect 0: 0 15 31 53 100 184 243 270 311 399 459 489 575 654 701 785 859 863 936 967 1039 1108 1156 1218 1314 1358
// expect 0: 1423 1466 1515 1599 1682 1744 1833 1835 1901 1999 2003 2066 2155 2246 2260 2308 2309 2365 2429 2498 2502
// expect 0: 2579 2616 2679 2749 2821 2858 2874 2908 2987 3034 3120 3144 3208 3288 3326 3413 3510 3544 3602 3663 3731
// expect 0: 3744 3785 3847 3856 3861 3880 3928 3936 3984 4041 4124 4203 4291 4317 4416 4514 4582 4606 4622 4646 4735
// expect 0: 4809

uint scan(__local uint *t, uint l, uint size, uint x)
{
    __local uint *from = t, *to = t + size;
    from[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint reach = 1; reach < size; reach *= 2) {
        to[l] = l >= reach ? from[l] + from[l - reach] : from[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        __local uint *swap = from;
        from = to;
        to = swap;
    }
    return from[l];
}

__kernel void blocks(__global const uint *in, uint n, __local uint *t, __global uint *out, __global uint *sums)
{
    const uint i = get_global_id(0), l = get_local_id(0);
    const uint x = i < n ? in[i] : 0;
    const uint upto = scan(t, l, get_local_size(0), x);
    if (i < n)
        out[i] = upto - x;
    if (l == get_local_size(0) - 1)
        sums[get_group_id(0)] = upto;
}

__kernel void carries(__global uint *sums, __local uint *t)
{
    const uint l = get_local_id(0);
    const uint x = sums[l];
    sums[l] = scan(t, l, get_local_size(0), x) - x;
}

__kernel void spread(__global uint *out, uint n, __global const uint *sums)
{
    __local uint carry;
    if (get_local_id(0) == 0)
        carry = sums[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) < n)
        out[get_global_id(0)] += carry;
}
