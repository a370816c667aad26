// Sobel gradient magnitude (L1) and 3x3 median by a sorting network, borders
// by clamped coordinates.
//
// launch: -k sobel -g 8,6 -l 4,3 -a rand:48:1011 -a zero:48
// expect 1: 196 552 324 596 498 260 492 492 356 328 264 28 84 136 624 780 552 468 498 370 40 166 724 642 756 624 368
// expect 1: 240 570 452 342 774 464 630 256 458 380 498 790 996 212 684 540 564 796 746 444 804
// launch: -k median -g 8,6 -l 2,6 -a rand:48:1011 -a zero:48
// expect 1: 142 119 119 127 163 198 193 193 119 117 119 127 160 130 98 84 168 120 122 122 148 130 148 84 201 117 120
// expect 1: 130 160 148 160 205 215 201 181 120 148 75 148 205 215 211 181 68 68 48 46 44

uchar at(__global const uchar *img, int x, int y)
{
    int w = get_global_size(0), h = get_global_size(1);
    return img[clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)];
}

__kernel void sobel(__global const uchar *img, __global ushort *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int gx = at(img, x + 1, y - 1) + 2 * at(img, x + 1, y) + at(img, x + 1, y + 1) - at(img, x - 1, y - 1) - 2 * at(img, x - 1, y) - at(img, x - 1, y + 1);
    int gy = at(img, x - 1, y + 1) + 2 * at(img, x, y + 1) + at(img, x + 1, y + 1) - at(img, x - 1, y - 1) - 2 * at(img, x, y - 1) - at(img, x + 1, y - 1);
    out[y * get_global_size(0) + x] = abs(gx) + abs(gy);
}

#define SORT2(a, b) { uchar lo = min(a, b); b = max(a, b); a = lo; }

__kernel void median(__global const uchar *img, __global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    uchar v[9];
    for (int k = 0; k < 9; k++)
        v[k] = at(img, x + k % 3 - 1, y + k / 3 - 1);
    SORT2(v[1], v[2]) SORT2(v[4], v[5]) SORT2(v[7], v[8])
    SORT2(v[0], v[1]) SORT2(v[3], v[4]) SORT2(v[6], v[7])
    SORT2(v[1], v[2]) SORT2(v[4], v[5]) SORT2(v[7], v[8])
    SORT2(v[0], v[3]) SORT2(v[5], v[8]) SORT2(v[4], v[7])
    SORT2(v[3], v[6]) SORT2(v[1], v[4]) SORT2(v[2], v[5])
    SORT2(v[4], v[7]) SORT2(v[4], v[2]) SORT2(v[6], v[4])
    SORT2(v[4], v[2])
    out[y * get_global_size(0) + x] = v[4];
}
