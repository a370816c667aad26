// Connected components: hooking by atomic minimum and pointer jumping until
// nothing changes, one group over the edge list.
//
// launch: -k components -g 8 -l 8 -a values:0,1,1,2,3,4,5,6,6,7,7,5,8,9,2,0,10,3 -a 9 -a 12 -a zero:12 -a zero:1
// expect 3: 0 0 0 3 3 5 5 5 8 8 3 11
// expect 4: 5

__kernel void components(__global const int2 *edges, int m, int n, __global int *label, __global int *count)
{
    __local int changed, roots;
    int l = get_local_id(0), step = get_local_size(0);
    for (int v = l; v < n; v += step)
        label[v] = v;
    if (l == 0)
        roots = 0;
    do {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (l == 0)
            changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int e = l; e < m; e += step) {
            int a = atomic_min(&label[edges[e].x], INT_MAX), b = atomic_min(&label[edges[e].y], INT_MAX);
            if (a != b) {
                int low = min(a, b), high = max(a, b);
                atomic_min(&label[high], low);
                atomic_min(&label[edges[e].x], low);
                atomic_min(&label[edges[e].y], low);
                atomic_or(&changed, 1);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    } while (changed);
    for (int v = l; v < n; v += step)
        if (label[v] == v)
            atomic_inc(&roots);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        *count = roots;
}
