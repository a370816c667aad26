// One level of a breadth-first search: expand takes the frontier's neighbours, advance makes them
// the next frontier and says whether there is one.
typedef struct {
    int first;
    int count;
} Node;

__kernel void expand(__global const Node *nodes, __global const int *edges,
                     __global const uchar *frontier, __global uchar *next,
                     __global const uchar *visited, __global int *cost, int node_count) {
    int node = get_global_id(0);
    if (node >= node_count || !frontier[node])
        return;
    for (int i = 0; i < nodes[node].count; ++i) {
        int neighbour = edges[nodes[node].first + i];
        if (!visited[neighbour]) {
            cost[neighbour] = cost[node] + 1;
            next[neighbour] = 1;
        }
    }
}

__kernel void advance(__global uchar *frontier, __global uchar *next, __global uchar *visited,
                      __global int *more, int node_count) {
    int node = get_global_id(0);
    if (node >= node_count)
        return;
    uchar reached = next[node];
    frontier[node] = reached;
    if (reached) {
        visited[node] = 1;
        next[node] = 0;
        *more = 1;
    }
}
