// Whole breadth-first search by one work-group with a queue in local memory
// filled through an atomic counter; the levels do not depend on queue order.
//
// launch: -k levels -g 4 -l 4 -a values:0,2,4,7,8,10,12,14,15,16,17 -a values:1,2,0,3,0,4,5,1,2,6,2,7,4,8,5,6,9 -a 10 -a 0 -a fill:10:-1 -a zero:1
// expect 4: 0 1 1 2 2 2 3 3 4 -1
// expect 5: 5
// launch: -k levels -g 4 -l 4 -a values:0,2,4,7,8,10,12,14,15,16,17 -a values:1,2,0,3,0,4,5,1,2,6,2,7,4,8,5,6,9 -a 10 -a 9 -a fill:10:-1 -a zero:1
// expect 4: -1 -1 -1 -1 -1 -1 -1 -1 -1 0
// expect 5: 1

__kernel void levels(__global const int *start, __global const int *edges, int n, int root, __global int *level, __global int *depth)
{
    __local int queue[2][16];
    __local int count[2];
    int l = get_local_id(0), step = get_local_size(0);
    if (l == 0) {
        queue[0][0] = root;
        count[0] = 1;
        level[root] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int d = 0;
    while (count[d & 1] > 0) {
        __local int *now = queue[d & 1], *next = queue[(d + 1) & 1];
        if (l == 0)
            count[(d + 1) & 1] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = l; k < count[d & 1]; k += step) {
            int v = now[k];
            for (int e = start[v]; e < start[v + 1]; e++)
                if (atomic_cmpxchg(&level[edges[e]], -1, d + 1) == -1)
                    next[atomic_inc(&count[(d + 1) & 1])] = edges[e];
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        d++;
    }
    if (l == 0)
        *depth = d;
}
