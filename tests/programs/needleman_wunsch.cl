// Needleman-Wunsch: one launch computes the tiles of one antidiagonal, each by one group, whose
// work-items go along the antidiagonals of the tile.
__kernel void tiles(__global int *score, __global const int *similar, int stride, int penalty,
                    int diagonal, int first_tile) {
    __local int tile[TILE + 1][TILE + 1];
    __local int match[TILE][TILE];
    int lane = get_local_id(0);
    int tile_x = first_tile + get_group_id(0), tile_y = diagonal - tile_x;
    int corner = tile_y * TILE * stride + tile_x * TILE;

    for (int y = 0; y < TILE; ++y)
        match[y][lane] = similar[corner + (y + 1) * stride + lane + 1];
    if (lane == 0)
        tile[0][0] = score[corner];
    tile[0][lane + 1] = score[corner + lane + 1];
    tile[lane + 1][0] = score[corner + (lane + 1) * stride];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int step = 0; step < 2 * TILE - 1; ++step) {
        int y = step - lane;
        if (y >= 0 && y < TILE) {
            int both = tile[y][lane] + match[y][lane];
            int left = tile[y + 1][lane] - penalty;
            int up = tile[y][lane + 1] - penalty;
            tile[y + 1][lane + 1] = max(both, max(left, up));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < TILE; ++y)
        score[corner + (y + 1) * stride + lane + 1] = tile[y + 1][lane + 1];
}
