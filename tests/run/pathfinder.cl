// Cheapest path down a grid: each group computes several rows with a halo
// that shrinks by one column per row.
//
// launch: -k pathfinder -g 30 -l 10 -a 3 -a 12 -a rand:36:701:0:9 -a rand:12:702:0:9 -a fill:12:-1
// expect 4: 12 14 10 7 6 1 9 9 11 14 17 14

#define WIDTH 10
__kernel void pathfinder(int iterations, int cols, __global const int *wall, __global const int *src, __global int *dst)
{
    __local int prev[WIDTH], result[WIDTH];
    int tx = get_local_id(0);
    int usable = WIDTH - 2 * iterations;
    if (usable < 1)
        return;
    int from = usable * (int)get_group_id(0) - iterations;
    int x = from + tx;
    bool valid = x >= 0 && x < cols;
    prev[tx] = valid ? src[x] : 1000000;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < iterations; i++) {
        bool compute = tx >= i + 1 && tx <= WIDTH - 2 - i && valid;
        if (compute) {
            int shortest = min(min(prev[tx - 1], prev[tx]), prev[tx + 1]);
            result[tx] = shortest + wall[cols * i + x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (compute)
            prev[tx] = result[tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tx >= iterations && tx < iterations + usable && valid)
        dst[x] = prev[tx];
}
