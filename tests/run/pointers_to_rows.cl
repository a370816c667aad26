// Pointers to arrays and to rows of arrays in global, local and private memory, with
// negative indices, differences, order, and a detour through void pointers.
//
// launch: -k rows -g 6 -l 3 -a rand:48:4711:-50:50 -a zero:6 -a zero:6
// expect 1: 51 758 -534 -110 5 -182
// expect 2: 613 1409 2205 3013 3809 4605

typedef int row[4];

int weigh(__local row *r, int k)
{
    return (*r)[k] - r[-1][3 - k];
}

int turn(row *own, int by)
{
    row *end = own + 3;
    int sum = 0;
    for (row *r = own + by % 3; r < end; ++r)
        sum += (int)(end - r) * (*r)[by & 3];
    void *there = end - 1;
    int *last = (int *)there + 3;
    return sum + last[-4] - *last;
}

__kernel void rows(__global const int *in, __global int *out, __global long *gaps)
{
    __local row shared[4];
    int l = get_local_id(0), g = get_global_id(0);
    __global const row *from = (__global const row *)in + 2 * g;
    __global const void *raw = &from[1][2];
    for (int k = 0; k < 4; k++)
        shared[l + 1][k] = (*from)[k] + from[1][3 - k];
    if (l == 0)
        for (int k = 0; k < 4; k++)
            shared[0][k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    row own[3];
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 4; k++)
            own[r][k] = shared[(l + r) % 4][(k + r) % 4];
    int sum = turn(own, g);
    for (int k = 0; k < 4; k++)
        sum += weigh(&shared[l + 1], k) * (k + 1);
    out[g] = sum;
    gaps[g] = ((__global const int *)raw - in) * 100 + (&shared[3][1] - shared[l]);
}
