// Local memory by argument, two of different types and sizes, the second one
// used as a 2-D array of the work-group.
//
// launch: -k rotate_tile -g 8,8 -l 4,4 -a iota:64 -a local:64 -a local:128 -a zero:64
// expect 3: 243303 163213 83123 3033 283303 203213 123123 43033 252302 172212 92122 12032 292302 212212 132122 52032
// expect 3: 261301 181211 101121 21031 301301 221211 141121 61031 270300 190210 110120 30030 310300 230210 150120
// expect 3: 70030 563303 483213 403123 323033 603303 523213 443123 363033 572302 492212 412122 332032 612302 532212
// expect 3: 452122 372032 581301 501211 421121 341031 621301 541211 461121 381031 590300 510210 430120 350030 630300
// expect 3: 550210 470120 390030
// launch: -k rotate_tile -g 4,6 -l 2,2 -a iota:24 -a local:16 -a local:32 -a zero:24
// expect 3: 41101 1011 61101 21011 50100 10010 70100 30010 121101 81011 141101 101011 130100 90010 150100 110010
// expect 3: 201101 161011 221101 181011 210100 170010 230100 190010

__kernel void rotate_tile(__global const int *in, __local int *tile, __local short4 *history, __global int *out)
{
    int x = get_local_id(0), y = get_local_id(1), n = get_local_size(0);
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    tile[y * n + x] = in[at];
    history[y * n + x] = (short4)(x, y, 0, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int fx = y, fy = n - 1 - x;
    short4 h = history[fy * n + fx];
    int v = tile[fy * n + fx];
    barrier(CLK_LOCAL_MEM_FENCE);
    h.zw = (short2)(x, y);
    history[(n - 1 - y) * n + x] = h;
    barrier(CLK_LOCAL_MEM_FENCE);
    h = history[y * n + x];
    out[at] = v * 10000 + h.x * 1000 + h.y * 100 + h.z * 10 + h.w;
}
