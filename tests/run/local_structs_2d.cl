// A 2-D local array of structs with a halo, filled by several work-items,
// the corner cells by one of them.
//
// launch: -k relax -g 8,4 -l 4,2 -a rand:32:241:0:50 -a zero:32
// expect 1: 1034 1786 1566 1836 1566 1416 1346 864 1746 2819 2559 2559 1979 1799 2009 1516 1706 2859 2959 2619 2289
// expect 1: 1929 2619 1796 904 1636 1836 1666 1356 1286 1786 1364

struct cell {
    int value;
    char edge;
};

__kernel void relax(__global const int *in, __global int *out)
{
    __local struct cell t[4][6];
    int lx = get_local_id(0), ly = get_local_id(1);
    int gx = get_global_id(0), gy = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    for (int y = ly; y < 4; y += 2)
        for (int x = lx; x < 6; x += 4) {
            int sx = (int)get_group_id(0) * 4 + x - 1, sy = (int)get_group_id(1) * 2 + y - 1;
            struct cell c = { 0, 1 };
            if (sx >= 0 && sx < w && sy >= 0 && sy < h) {
                c.value = in[sy * w + sx];
                c.edge = 0;
            }
            t[y][x] = c;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0, n = 0;
    for (int dy = 0; dy <= 2; dy++)
        for (int dx = 0; dx <= 2; dx++)
            if (!t[ly + dy][lx + dx].edge) {
                sum += t[ly + dy][lx + dx].value;
                n++;
            }
    out[gy * w + gx] = sum * 10 + n;
}
