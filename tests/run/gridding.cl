// Samples scattered onto a grid with triangular weights, in fixed point so
// that atomic accumulation does not depend on order.
//
// launch: -k scatter -g 20 -l 4 -a rand:20:841:0:1023 -a rand:20:842:-500:500 -a zero:64
// expect 2: 0 0 -1645 -13394 0 0 0 0 0 -10881 -9704 -3251 21908 44859 0 -4499 0 -37261 -39749 -4797 5055 10352 0
// expect 2: -47227 -1926 -6939 -117468 -1559 10408 0 0 -45831 -3433 -5916 1203 13074 22897 1230 11890 -10128 0 0
// expect 2: 24464 76551 0 690 6670 0 -64848 -69091 -18398 -34873 -2638 0 0 0 -6356 -61185 -37035 -104118 -311 0 0 0

__kernel void scatter(__global const uint2 *at, __global const int *value, __global int *grid)
{
    int s = get_global_id(0);
    uint2 p = at[s];
    int2 cell = convert_int2(p >> 7u);
    int2 frac = convert_int2(p & 127u);
    for (int dy = 0; dy <= 1; dy++)
        for (int dx = 0; dx <= 1; dx++) {
            int2 c = cell + (int2)(dx, dy);
            if (any(c > 7))
                continue;
            int wx = dx ? frac.x : 128 - frac.x, wy = dy ? frac.y : 128 - frac.y;
            atomic_add(&grid[c.y * 8 + c.x], value[s] * wx * wy >> 6);
        }
}
