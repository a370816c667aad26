// Barriers inside branches and loops whose conditions are the same for a
// whole work-group but differ between groups.
//
// launch: -k stages -g 32 -l 8 -a values:0,3,1,4 -a rand:32:211:0:100 -a zero:32
// expect 2: -77 -75 -50 -44 -68 -88 -66 -72 408 426 546 702 756 716 662 528 154 99 98 91 52 84 94 124 509 515 27 116
// expect 2: 359 275 217 206
// launch: -k stages -g 12 -l 3 -a values:2,0,5,1 -a iota:12 -a zero:12
// expect 2: 0 5 1 -4 -5 -3 112 112 112 19 21 20

__kernel void stages(__global const int *rounds, __global const int *in, __global int *out)
{
    __local int a[8], b[8];
    const int l = get_local_id(0), n = get_local_size(0);
    const int todo = rounds[get_group_id(0)];
    a[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (todo > 2) {
        b[l] = a[(l + 3) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] += b[n - 1 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    } else if (todo == 0) {
        a[l] = -a[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < todo; r++) {
        int left = a[(l + n - 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (r & 1)
            a[l] = a[l] * 2 - left;
        else
            a[l] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = a[(l + 1) % n];
}
