// Loops that end by what they load, in several work-items: from buffers, private and local arrays, with a barrier
// behind them that all have to come to.
//
// launch: -k lengths -g 4 -l 4 -a rand:64:21:0:5 -a zero:12
// expect 1: 8 23 0 10 23 1 0 23 2 5 23 2
// launch: -k lengths -g 8 -l 4 -a rand:128:21:0:5 -a zero:24
// expect 1: 8 23 0 10 23 1 0 23 2 5 23 2 5 23 3 10 23 1 8 23 2 0 23 3
// launch: -k lengths -g 2 -l 1 -a rand:32:21:0:5 -a zero:6
// expect 1: 8 8 0 10 10 0

__kernel void lengths(__global const uchar *text, __global uint *out)
{
    uint g = get_global_id(0), i = get_local_id(0), of = get_local_size(0);
    __local uint l[16];
    uchar p[16];
    for (uint k = 0; k < 16; k++)
        p[k] = text[g * 16 + k];
    uint n = 0;
    while (n < 15 && p[n] != 0)
        n++;
    l[i] = n;
    out[3 * g] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0, q = i;
    do {
        sum += l[q];
        q = (q + 1) % of;
    } while (sum <= 20 && q != i);
    out[3 * g + 1] = sum;
    out[3 * g + 2] = q;
}
