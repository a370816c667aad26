// Groups take different paths with different numbers of barriers: a switch on
// the group, a whole group that returns, a loop with continue before the
// barrier of its second half.
//
// launch: -k paths -g 40 -l 8 -a rand:40:1201:0:99 -a fill:40:-1
// expect 1: 1 47 40 38 10 46 86 89 -1 -1 -1 -1 -1 -1 -1 -1 39 58 22 34 56 53 38 70 236 218 218 236 96 142 142 96 552
// expect 1: 548 548 552 312 204 204 312

__kernel void paths(__global const int *in, __global int *out)
{
    __local int t[8];
    const int l = get_local_id(0), g = get_global_id(0), group = get_group_id(0);
    t[l] = in[g];
    switch (group) {
    case 0:
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = t[7 - l];
        break;
    case 1:
        return;
    case 2:
        for (int k = 0; k < 4; k++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int v = t[(l + k) % 8];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (k == 1)
                continue;
            t[l] = v + k;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        out[g] = t[l];
        break;
    default: {
        int rounds = group;
        do {
            barrier(CLK_LOCAL_MEM_FENCE);
            int v = t[l ^ 1] + t[l ^ 2];
            barrier(CLK_LOCAL_MEM_FENCE);
            t[l] = v % 1000;
        } while (--rounds > 1);
        out[g] = t[l];
    }
    }
}
