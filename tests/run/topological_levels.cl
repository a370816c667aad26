// Levels of a dependency graph: a node's level is one more than the highest of
// its predecessors; a single work-item with a worklist, and a cycle check.
//
// launch: -k levels -g 1 -l 1 -a 8 -a values:0,0,1,2,4,5,7,8,9 -a values:0,0,1,2,2,3,4,5,3 -a fill:8:-1 -a zero:1
// expect 3: 0 1 1 2 2 3 4 3
// launch: -k levels -g 1 -l 1 -a 4 -a values:0,1,2,3,3 -a values:2,0,1 -a fill:4:-1 -a zero:1
// expect 3: -1 -1 -1 0
// expect 4: 3

__kernel void levels(int n, __global const int *start, __global const int *preds, __global int *level, __global int *stuck)
{
    uint done = 0;
    bool progress;
    do {
        progress = false;
        for (int v = 0; v < n; v++) {
            if (done >> v & 1)
                continue;
            int highest = -1;
            bool ready = true;
            for (int e = start[v]; ready && e < start[v + 1]; e++) {
                int p = preds[e];
                if (!(done >> p & 1))
                    ready = false;
                else if (level[p] > highest)
                    highest = level[p];
            }
            if (!ready)
                continue;
            level[v] = highest + 1;
            done |= 1u << v;
            progress = true;
        }
    } while (progress);
    *stuck = n - (int)popcount(done);
}
