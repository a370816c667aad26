// Grey dilation by a structuring element in constant memory, beside the
// erosion with the same element; out of the picture counts as absent.
//
// launch: -k dilate -g 8,8 -l 4,2 -a rand:64:671:0:255 -a zero:64 -a zero:64
// expect 1: 231 231 242 233 233 233 233 233 228 242 242 242 233 233 233 240 242 242 242 242 242 233 240 240 228 242
// expect 1: 242 242 191 240 240 240 203 201 242 225 225 196 240 240 203 229 229 229 225 225 212 240 229 229 229 229
// expect 1: 229 222 213 213 203 229 229 229 225 225 213 213
// expect 2: 67 67 67 105 107 36 10 10 55 18 38 36 36 10 10 10 18 18 18 36 11 11 10 10 18 18 18 11 11 11 11 10 18 18
// expect 2: 18 30 11 11 11 16 37 18 30 30 62 11 48 48 37 37 30 55 62 67 67 48 37 55 55 55 55 80 67 89

__constant uchar disk[5][5] = { { 0, 0, 1, 0, 0 }, { 0, 1, 1, 1, 0 }, { 1, 1, 1, 1, 1 }, { 0, 1, 1, 1, 0 }, { 0, 0, 1, 0, 0 } };

__kernel void dilate(__global const uchar *img, __global uchar *grown, __global uchar *shrunk)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    uchar hi = 0, lo = 255;
    for (int dy = -2; dy <= 2; dy++) {
        if (y + dy < 0 || y + dy >= h)
            continue;
        for (int dx = -2; dx <= 2; dx++) {
            if (x + dx < 0 || x + dx >= w || !disk[dy + 2][dx + 2])
                continue;
            uchar v = img[(y + dy) * w + x + dx];
            hi = v > hi ? v : hi;
            lo = v < lo ? v : lo;
        }
    }
    grown[y * w + x] = hi;
    shrunk[y * w + x] = lo;
}
