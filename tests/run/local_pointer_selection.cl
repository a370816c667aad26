// Pointers into several local arrays chosen at run time: ping-pong by swapping
// pointers, and a pointer that may point into either of two tables.
//
// launch: -k pingpong -g 16 -l 8 -a rand:16:1231:0:50 -a 4 -a zero:16 -a zero:16
// expect 2: 387 369 379 379 343 289 351 279 83 513 133 519 159 481 109 475
// expect 3: 0 1000 2000 3000 0 211 2000 3000 0 1000 2000 3000 0 269 2000 3000

__kernel void pingpong(__global const int *in, int rounds, __global int *out, __global int *picked)
{
    __local int a[8], b[8], small[4];
    int l = get_local_id(0), g = get_global_id(0);
    __local int *from = a, *to = b;
    from[l] = in[g];
    if (l < 4)
        small[l] = l * 1000;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < rounds; r++) {
        to[l] = from[(l + 1) & 7] + from[(l + 7) & 7] - r;
        __local int *t = from;
        from = to;
        to = t;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = from[l];
    __local int *p = out[g] & 1 ? &small[l & 3] : from + (l ^ 4);
    if (l == 5)
        p = to + 2;
    picked[g] = *p;
}
