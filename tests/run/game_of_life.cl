// Generations on a torus by one work-group, the board in local memory as
// bytes, double buffered.
//
// launch: -k life -g 8,8 -l 8,8 -a values:0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,0,0,0,0,0,0,1,1 -a 5 -a zero:1
// expect 0: 1 0 1 1 0 0 0 1 0 1 1 1 0 0 0 0 1 0 0 0 1 0 0 0 0 0 1 1 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 0: 0 0 0 0 0 0 0 0 0 0 0
// expect 2: 12

__kernel void life(__global uchar *board, int generations, __global int *alive)
{
    __local uchar b[2][8][8];
    __local int count;
    int x = get_local_id(0), y = get_local_id(1);
    b[0][y][x] = board[y * 8 + x];
    if (x + y == 0)
        count = 0;
    int now = 0;
    for (int g = 0; g < generations; g++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int n = 0;
        for (int dy = 7; dy <= 9; dy++)
            for (int dx = 7; dx <= 9; dx++)
                n += b[now][(y + dy) & 7][(x + dx) & 7];
        uchar self = b[now][y][x];
        b[now ^ 1][y][x] = n == 3 || (n == 4 && self);
        now ^= 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    board[y * 8 + x] = b[now][y][x];
    if (b[now][y][x])
        atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x == 0 && y == 0)
        *alive = count;
}
