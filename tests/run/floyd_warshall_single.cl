// Shortest paths between all pairs by one work-item: three nested loops over one matrix.
//
// launch: -k paths -g 1 -a values:0,3,999,7,999,8,0,2,999,999,5,999,0,1,999,2,999,999,0,4,999,1,6,999,0 -a 5
// expect 0: 0 3 5 6 10 5 0 2 3 7 3 6 0 1 5 2 5 7 0 4 6 1 3 4 0

__kernel void paths(__global int *d, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
