// Sequence alignment: one group sweeps the anti-diagonals of a block in local
// memory, forwards over the upper and backwards over the lower triangle.
//
// launch: -k block -g 8 -l 8 -a 2 -a values:0,1,2,3,0,1,2,3 -a values:0,2,1,3,3,0,1,2 -a values:0,-2,-4,-6,-8,-10,-12,-14,-16 -a zero:64
// expect 4: 5 3 1 -1 -3 -5 -7 -9 3 2 8 6 4 2 0 -2 1 8 6 9 7 5 3 5 -1 6 5 11 14 12 10 8 -3 4 7 9 12 19 17 15 -5 2 9 7
// expect 4: 10 17 24 22 -7 0 7 10 8 15 22 29 -9 -2 5 12 15 13 20 27

#define B 8
int max3(int a, int b, int c)
{
    return max(a, max(b, c));
}

__kernel void block(int penalty, __global const uchar *rows, __global const uchar *cols, __global const int *edge, __global int *out)
{
    __local int t[B + 1][B + 1];
    __local int ref[B][B];
    int l = get_local_id(0);
    for (int r = 0; r < B; r++)
        ref[r][l] = rows[r] == cols[l] ? 5 : (rows[r] ^ cols[l]) == 1 ? 1 : -3;
    t[0][l + 1] = edge[l + 1];
    t[l + 1][0] = edge[l + 1];
    if (l == 0)
        t[0][0] = edge[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < B; m++) {
        if (l <= m) {
            int x = l + 1, y = m - l + 1;
            t[y][x] = max3(t[y - 1][x - 1] + ref[y - 1][x - 1], t[y][x - 1] - penalty, t[y - 1][x] - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int m = B - 2; m >= 0; m--) {
        if (l <= m) {
            int x = l + B - m, y = B - l;
            t[y][x] = max3(t[y - 1][x - 1] + ref[y - 1][x - 1], t[y][x - 1] - penalty, t[y - 1][x] - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < B; r++)
        out[r * B + l] = t[r + 1][l + 1];
}
