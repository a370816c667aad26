// Shortest paths with a binary heap in private memory, one source per
// work-item over a shared CSR graph.
//
// launch: -k dijkstra -g 6 -l 2 -a values:0,3,5,8,10,12,13 -a values:1,2,4,2,3,0,3,5,1,5,0,3,4 -a values:7,3,12,2,5,3,9,20,5,4,12,1,2 -a fill:36:-1
// expect 3: 0 7 3 12 12 16 5 0 2 5 11 9 3 10 0 9 15 13 10 5 7 0 6 4 11 6 8 1 0 5 13 8 10 3 2 0

#define N 6
typedef struct {
    int d, v;
} item;

void push(item *heap, int *n, int d, int v)
{
    int i = (*n)++;
    while (i > 0 && heap[(i - 1) / 2].d > d) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i].d = d;
    heap[i].v = v;
}

item pop(item *heap, int *n)
{
    item top = heap[0], last = heap[--*n];
    int i = 0;
    for (;;) {
        int c = 2 * i + 1;
        if (c >= *n)
            break;
        if (c + 1 < *n && heap[c + 1].d < heap[c].d)
            c++;
        if (heap[c].d >= last.d)
            break;
        heap[i] = heap[c];
        i = c;
    }
    heap[i] = last;
    return top;
}

__kernel void dijkstra(__global const int *start, __global const int *to, __global const int *cost, __global int *dist)
{
    int s = get_global_id(0);
    __global int *d = dist + N * s;
    item heap[32];
    int n = 0;
    push(heap, &n, 0, s);
    while (n > 0) {
        item it = pop(heap, &n);
        if (d[it.v] >= 0)
            continue;
        d[it.v] = it.d;
        for (int e = start[it.v]; e < start[it.v + 1]; e++)
            if (d[to[e]] < 0)
                push(heap, &n, it.d + cost[e], to[e]);
    }
}
