// One level of breadth-first search over a CSR graph: two kernels with
// frontier masks, the second publishes and raises the flag.
//
// launch: -k expand -g 8 -l 4 -a values:0,2,4,6,7,9,10,12,13 -a values:1,2,0,3,0,4,1,2,5,4,7,3,6 -a values:0,1,1,0,0,0,0,0 -a values:1,1,1,0,0,0,0,0 -a zero:8 -a values:0,1,1,-1,-1,-1,-1,-1
// expect 2: 0 0 0 0 0 0 0 0
// expect 4: 0 0 0 1 1 0 0 0
// expect 5: 0 1 1 2 2 -1 -1 -1
// launch: -k publish -g 8 -l 2 -a zero:8 -a values:1,1,1,0,0,0,0,0 -a values:0,0,0,1,1,0,0,0 -a zero:1
// expect 0: 0 0 0 1 1 0 0 0
// expect 1: 1 1 1 1 1 0 0 0
// expect 2: 0 0 0 0 0 0 0 0
// expect 3: 1

__kernel void expand(__global const int *start, __global const int *edges, __global uchar *frontier, __global const uchar *visited, __global uchar *updating, __global int *cost)
{
    int v = get_global_id(0);
    if (!frontier[v])
        return;
    frontier[v] = 0;
    for (int e = start[v]; e < start[v + 1]; e++) {
        int to = edges[e];
        if (!visited[to]) {
            cost[to] = cost[v] + 1;
            updating[to] = 1;
        }
    }
}

__kernel void publish(__global uchar *frontier, __global uchar *visited, __global uchar *updating, __global int *again)
{
    int v = get_global_id(0);
    if (updating[v]) {
        frontier[v] = 1;
        visited[v] = 1;
        atomic_or(again, 1);
        updating[v] = 0;
    }
}
