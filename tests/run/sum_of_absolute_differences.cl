// Motion estimation: each work-item tries one displacement of a 4x4 block and
// the group picks the best by a local minimum of packed (cost, index).
//
// launch: -k search -g 36 -l 9 -a rand:64:851:0:255 -a rand:64:852:0:255 -a zero:4 -a zero:36
// expect 2: 304389 254212 337923 273160
// expect 3: 1885 1635 1199 1717 1569 1189 1361 1310 1331 1391 1512 1483 1369 993 1733 1671 1167 1449 1471 1428 1588
// expect 3: 1320 1514 1749 2145 1387 2030 1526 1536 1483 1156 1148 1311 1636 1271 1067

__kernel void search(__global const uchar *now, __global const uchar *before, __global uint *best, __global ushort *costs)
{
    __local uint least;
    int l = get_local_id(0), block = get_group_id(0);
    int bx = (block & 1) * 4, by = (block >> 1) * 4;
    int dx = l % 3 - 1, dy = l / 3 - 1;
    if (l == 0)
        least = UINT_MAX;
    barrier(CLK_LOCAL_MEM_FENCE);
    ushort cost = 0;
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) {
            int rx = clamp(bx + x + dx, 0, 7), ry = clamp(by + y + dy, 0, 7);
            cost += abs_diff(now[(by + y) * 8 + bx + x], before[ry * 8 + rx]);
        }
    costs[block * 9 + l] = cost;
    atomic_min(&least, (uint)cost << 8 | l);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        best[block] = least;
}
