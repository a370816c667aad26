// 0/1 knapsack over capacities in parallel: one group, double-buffered local
// rows, one barrier per object.
//
// launch: -k knapsack -g 16 -l 16 -a 6 -a values:5,3,4,2,7,1 -a values:60,31,45,12,80,4 -a zero:16
// expect 3: 0 4 12 31 45 60 64 80 91 105 111 125 140 144 156 171

__kernel void knapsack(int objects, __constant int *weight, __constant int *value, __global int *best)
{
    __local int row[2][16];
    int c = get_local_id(0);
    row[0][c] = 0;
    int now = 0;
    for (int o = 0; o < objects; o++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int keep = row[now][c];
        int take = c >= weight[o] ? row[now][c - weight[o]] + value[o] : INT_MIN;
        now = 1 - now;
        row[now][c] = take > keep ? take : keep;
    }
    best[c] = row[now][c];
}
