// All shortest paths by one group, block by block: the diagonal block, those of
// its row and column, and the rest, with barriers in the loops over blocks and
// over intermediate vertices.
//
// launch: -k shortest -g 4,4 -l 4,4 -a values:0,9999,9999,9999,9999,52,9999,9999,9999,9999,9999,9999,9999,0,38,9999,9999,9999,9,9999,9999,9999,9999,32,20,13,0,9999,14,3,9999,9999,9999,9999,9999,52,9999,20,9999,0,30,9999,8,9999,36,9999,38,9999,9999,9999,29,33,0,9999,9999,9999,9999,9999,9999,9999,7,9999,26,9999,9999,0,9999,9999,9999,29,15,9999,9999,9999,22,9999,9999,9999,0,9999,42,9999,9999,31,9999,9999,9999,9999,26,9999,11,0,9999,36,9999,9999,14,45,9999,9999,9999,9999,9999,40,0,9999,9999,9999,9999,9999,9999,9999,13,9999,9999,9999,9999,0,9999,23,9999,9999,9999,9999,9999,9999,9999,9999,9999,9999,0,9999,9999,9999,9999,9999,48,57,9999,9999,9999,9999,9999,0 -a 12
// expect 0: 0 91 78 125 92 52 100 182 142 81 67 104 41 0 31 78 45 34 9 91 51 63 49 32 10 13 0 47 14 3 22 104 64 32 18
// expect 0: 45 40 20 30 0 30 33 8 76 36 62 38 39 39 42 29 33 0 32 41 109 69 61 47 72 7 39 26 73 40 0 48 130 90 29 15 52
// expect 0: 32 35 22 69 36 25 0 82 42 54 40 31 43 46 33 59 26 36 11 0 53 36 51 42 14 45 73 99 66 66 51 40 0 76 81 77 52
// expect 0: 55 42 46 13 45 54 122 82 0 60 23 9999 9999 9999 9999 9999 9999 9999 9999 9999 9999 0 9999 64 90 77 81 48 57
// expect 0: 89 157 117 86 72 0
// launch: -k shortest -g 4,4 -l 4,4 -a values:0,4,32,9999,13,0,9999,9999,9999,9999,0,9999,11,37,9999,0 -a 4
// expect 0: 0 4 32 9999 13 0 45 9999 9999 9999 0 9999 11 15 43 0

#define B 4

void relax(__local ushort (*c)[B], __local ushort (*a)[B], __local ushort (*b)[B])
{
    const int x = get_local_id(0), y = get_local_id(1);
    for (int k = 0; k < B; k++) {
        const ushort through = a[y][k] + b[k][x];
        const ushort shorter = min(c[y][x], through);
        barrier(CLK_LOCAL_MEM_FENCE);
        c[y][x] = shorter;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel __attribute__((reqd_work_group_size(B, B, 1))) void shortest(__global ushort *d, int n)
{
    __local ushort pivot[B][B], across[B][B], down[B][B], other[B][B];
    const int x = get_local_id(0), y = get_local_id(1);
    for (int k = 0; k < n; k += B) {
        pivot[y][x] = d[(k + y) * n + k + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        relax(pivot, pivot, pivot);
        d[(k + y) * n + k + x] = pivot[y][x];
        for (int i = 0; i < n; i += B) {
            if (i == k)
                continue;
            across[y][x] = d[(k + y) * n + i + x];
            down[y][x] = d[(i + y) * n + k + x];
            barrier(CLK_LOCAL_MEM_FENCE);
            relax(across, pivot, across);
            relax(down, down, pivot);
            d[(k + y) * n + i + x] = across[y][x];
            d[(i + y) * n + k + x] = down[y][x];
        }
        for (int i = 0; i < n; i += B) {
            if (i == k)
                continue;
            down[y][x] = d[(i + y) * n + k + x];
            for (int j = 0; j < n; j += B) {
                if (j == k)
                    continue;
                across[y][x] = d[(k + y) * n + j + x];
                other[y][x] = d[(i + y) * n + j + x];
                barrier(CLK_LOCAL_MEM_FENCE);
                relax(other, down, across);
                d[(i + y) * n + j + x] = other[y][x];
            }
        }
    }
}
