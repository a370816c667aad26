// One PageRank iteration in 2^-20 fixed point: pull along incoming edges,
// dangling mass collected by an atomic, damping by shifts.
//
// launch: -k pull -g 6 -l 3 -a values:0,2,3,5,6,8,9 -a values:1,2,0,0,4,3,2,1,0 -a values:3,2,2,1,1,0 -a fill:6:174762 -a zero:6 -a zero:1
// expect 4: 174761 75729 224277 174761 174761 75729
// expect 5: 174762

__kernel void pull(__global const int *start, __global const int *from, __global const int *out_degree, __global const uint *rank, __global uint *next, __global uint *dangling)
{
    int v = get_global_id(0), n = get_global_size(0);
    ulong sum = 0;
    for (int e = start[v]; e < start[v + 1]; e++) {
        int u = from[e];
        sum += rank[u] / (uint)out_degree[u];
    }
    if (out_degree[v] == 0)
        atomic_add(dangling, rank[v]);
    next[v] = (1048576u * 3 / 20) / n + (uint)(sum * 17 / 20);
}
