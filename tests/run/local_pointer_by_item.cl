// Pointers to one of two local arrays, chosen by each work-item's own data for
// writing, reading and atomics, also through a helper.
//
// launch: -k choose -g 39 -l 13 -a rand:39:2361:0:1000 -a zero:39 -a zero:3
// expect 1: 346 1812 522 -865 1554 480 -231 977 2058 -231 1746 906 98 -619 342 1824 210 341 1470 8 75 1698 -263 707 805
// expect 1: 106 64 2718 2598 -747 804 519 -243 193 2286 -413 2412 1512 74
// expect 2: 3470 2650 2102 3046 4248 2309
// launch: -k choose -g 3 -l 1 -a rand:3:2362:0:1000 -a zero:3 -a zero:3
// expect 1: 106 814 556
// expect 2: 106 0 814 0 556 0
// launch: -k choose -g 64 -l 64 -a rand:64:2363:0:1000 -a zero:64 -a zero:1
// expect 1: 364 2262 583 342 1770 1320 -65 57 2298 -871 834 219 296 714 1686 -243 593 945 -83 3 115 -915 990 409 -351
// expect 1: 451 2316 372 343 521 360 246 897 -681 269 83 540 2376 684 294 753 1866 -601 2712 491 346 1008 306 -795 65
// expect 1: 349 -497 827 711 -339 869 391 484 2790 252 892 2172 2508 184
// expect 2: 14844 15503

void note(__local int *total, int x)
{
    atomic_add(total, x);
}

__kernel void choose(__global const int *in, __global int *out, __global int2 *sums)
{
    __local int small[64], big[64];
    __local int even, odd;
    const int l = get_local_id(0), n = get_local_size(0);
    const int x = in[get_global_id(0)];
    small[l] = x;
    big[l] = x;
    if (l == 0)
        even = 0;
    if (l == n - 1)
        odd = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *mine = (x & 1 ? big : small) + l;
    *mine = x & 1 ? *mine - 1000 : *mine * 3;
    note(x & 1 ? &odd : &even, x);
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const int *from = big;
    if (l * l % 3 == 1)
        from = small;
    out[get_global_id(0)] = from[n - 1 - l];
    if (l == 0)
        sums[get_group_id(0)] = (int2)(even, odd);
}
