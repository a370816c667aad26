// Local alignment of one pair of sequences per group: a work-item per row, the
// matrix by anti-diagonals of which three are kept in local memory in turn.
//
// launch: -k align -g 36 -l 12 -a rand:36:2231:0:3 -a rand:45:2232:0:3 -a 15 -a zero:3 -a zero:36
// expect 3: 28 29 26
// expect 4: 5 1 2 2 5 14 15 24 25 21 25 26 0 1 2 4 5 6 15 16 25 26 22 18 0 5 5 5 5 14 15 16 25 21 17 21
// launch: -k align -g 29 -l 29 -a rand:29:2233:0:3 -a rand:7:2234:0:3 -a 7 -a zero:1 -a zero:29
// expect 3: 21
// expect 4: 5 1 7 3 12 21 17 13 14 11 7 3 3 12 8 4 10 6 10 11 9 10 14 10 7 16 12 15 11
// launch: -k align -g 2 -l 1 -a rand:2:2235:0:3 -a rand:10:2236:0:3 -a 5 -a zero:2 -a zero:2
// expect 3: 5 5
// expect 4: 0 5

__kernel void align(__global const uchar *rows, __global const uchar *columns, int n, __global int *score, __global int *last)
{
    __local short diagonal[3][32];
    __local int best;
    const int l = get_local_id(0), m = get_local_size(0);
    const uchar mine = rows[get_global_id(0)];
    __global const uchar *other = columns + get_group_id(0) * n;
    if (l == 0)
        best = 0;
    for (int k = 0; k < 3; k++)
        diagonal[k][l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int here = 0, top = 0;
    for (int d = 0; d < n + m - 1; d++) {
        __local short *now = diagonal[d % 3], *before = diagonal[(d + 2) % 3], *earlier = diagonal[(d + 1) % 3];
        const int j = d - l;
        if (j >= 0 && j < n) {
            const int corner = l > 0 && j > 0 ? earlier[l - 1] : 0;
            const int above = l > 0 ? before[l - 1] : 0;
            const int left = j > 0 ? before[l] : 0;
            here = max(max(corner + (mine == other[j] ? 5 : -3), 0), max(above, left) - 4);
            now[l] = here;
            top = max(top, here);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    atomic_max(&best, top);
    last[get_global_id(0)] = here;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        score[get_group_id(0)] = best;
}
