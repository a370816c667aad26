// The brightest pixel of each 2-D tile and its place, the first one of equals:
// a tree over structs in local memory, edges of the image guarded.
//
// launch: -k brightest -g 16,12 -l 4,4 -a rand:130:2011:0:25 -a 13 -a 10 -a zero:12
// expect 3: 26 25 5 25 23 24 12 11 93 25 82 25 61 25 77 22 106 24 110 25 126 25 116 21
// launch: -k brightest -g 9,10 -l 3,5 -a rand:63:2012:0:25 -a 9 -a 7 -a zero:6
// expect 3: 29 25 14 22 8 23 54 23 58 15 62 23
// launch: -k brightest -g 8,8 -l 8,8 -a rand:64:2013:0:25 -a 8 -a 8 -a zero:1
// expect 3: 9 25
// launch: -k brightest -g 3,2 -l 1,1 -a rand:6:2014:0:25 -a 3 -a 2 -a zero:6
// expect 3: 0 0 1 23 2 7 3 6 4 3 5 4

typedef struct { uint at, value; } Peak;

__kernel void brightest(__global const uchar *image, int width, int height, __global int2 *out)
{
    __local Peak peak[64];
    const int x = get_global_id(0), y = get_global_id(1);
    const uint l = get_local_id(1) * get_local_size(0) + get_local_id(0);
    const uint size = get_local_size(0) * get_local_size(1);
    bool inside = x < width && y < height;
    peak[l].at = inside ? y * width + x : UINT_MAX;
    peak[l].value = inside ? image[y * width + x] : 0;
    for (uint step = 1; step < size; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % (2 * step) == 0 && l + step < size) {
            Peak other = peak[l + step];
            if (other.value > peak[l].value || (other.value == peak[l].value && other.at < peak[l].at))
                peak[l] = other;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        out[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = (int2)((int)peak[0].at, peak[0].value);
}
