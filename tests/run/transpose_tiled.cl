// Transposes a rectangular matrix through a padded local tile; borders that
// do not fill a tile are guarded.
//
// launch: -k transpose -g 12,8 -l 4,4 -a 10 -a 7 -a iota:70 -a zero:70
// expect 3: 0 10 20 30 40 50 60 1 11 21 31 41 51 61 2 12 22 32 42 52 62 3 13 23 33 43 53 63 4 14 24 34 44 54 64 5 15
// expect 3: 25 35 45 55 65 6 16 26 36 46 56 66 7 17 27 37 47 57 67 8 18 28 38 48 58 68 9 19 29 39 49 59 69

#define T 4
__kernel void transpose(int w, int h, __global const short *in, __global short *out)
{
    __local short tile[T][T + 1];
    int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h)
        tile[get_local_id(1)][get_local_id(0)] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * T + get_local_id(0);
    y = get_group_id(0) * T + get_local_id(1);
    if (x < h && y < w)
        out[y * h + x] = tile[get_local_id(0)][get_local_id(1)];
}
