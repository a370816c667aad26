// Odd-even transposition directly in global memory by one group; leaves the
// loop when a whole double round changed nothing.
//
// launch: -k sort -g 8 -l 8 -a values:9,3,7,-1,0,12,5,5,8,-4,2,6,1,11,10,4 -a 16 -a zero:1
// expect 0: -4 -1 0 1 2 3 4 5 5 6 7 8 9 10 11 12
// expect 2: 7
// launch: -k sort -g 8 -l 8 -a iota:16 -a 16 -a zero:1
// expect 2: 1

__kernel void sort(__global int *v, int n, __global int *rounds)
{
    __local int changed;
    int l = get_local_id(0), r = 0;
    while (r <= n) {
        if (l == 0)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int phase = 0; phase < 2; phase++) {
            int i = 2 * l + phase;
            if (i + 1 < n && v[i] > v[i + 1]) {
                int t = v[i];
                v[i] = v[i + 1];
                v[i + 1] = t;
                atomic_or(&changed, 1);
            }
            barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        }
        r++;
        int again = changed;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!again)
            break;
    }
    if (l == 0)
        *rounds = r;
}
