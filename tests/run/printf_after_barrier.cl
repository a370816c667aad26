// One work-item prints what the others computed, after a barrier in each round of
// a loop; another one prints the end.
//
// launch: -k report -g 24 -l 24 -a rand:24:2461:1:50 -a zero:24
// expect 1: 82 97 49 31 104 113 121 70 44 43 49 139 40 5 9 2 21 29 24 24 8 11 20 25
// stdout: round 0: first 32, middle 59, sum 724
// stdout: round 1: first 57, middle 99, sum 942
// stdout: round 2: first 82, middle 139, sum 1160
// stdout: done: 82 25

__kernel void report(__global const int *in, __global int *out)
{
    __local int t[24], sum;
    const int l = get_local_id(0);
    t[l] = in[l];
    for (int r = 0; r < 3; r++) {
        if (l == 0)
            sum = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 12)
            t[l] += t[23 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_add(&sum, t[l]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            printf("round %d: first %d, middle %d, sum %d\n", r, t[0], t[11], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = t[l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 23)
        printf("done: %d %d\n", out[0], out[l]);
}
