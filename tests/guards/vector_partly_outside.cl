// A vector access that is partly out of bounds has no effect at all.
//
// launch: -k k -g 16 -l 16 -a zero:16 -a 12
// expect 0: 6 10 14 18 22 26 30 34 38 80 122 164 206 0 0 0

__kernel void k(__global int *out, int at)
{
    __local int s[16];
    int l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        vstore4((int4)(60, 61, 62, 63), 0, s + at + 1);
    if (l == 1)
        vstore4((int4)(50, 51, 52, 53), 0, s + at);
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 v = vload4(0, s + l);
    out[l] = v.x + v.y + v.z + v.w;
}
