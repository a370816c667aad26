// Sobel's operator over an image by one work-item: two line buffers and a window of nine pixels.
//
// launch: -k sobel -g 1 -a rand:120:3212:0:255 -a zero:120
// expect 1: 0 0 0 0 0 0 0 0 0 0 0 0 0 255 255 180 255 255 255 255 255 255 166 0 0 255 196 120 255 255 255 60 255 56
// expect 1: 190 0 0 255 156 255 255 102 255 255 255 255 255 0 0 222 255 255 255 255 255 255 130 255 150 0 0 255 255
// expect 1: 248 255 255 122 238 255 162 130 0 0 255 255 78 255 255 218 192 255 255 255 0 0 255 240 255 194 255 255
// expect 1: 255 166 255 234 0 0 255 255 255 255 255 78 255 255 255 214 0 0 0 0 0 0 0 0 0 0 0 0 0

#define W 12
#define H 10
__kernel void sobel(__global const uchar *in, __global uchar *out)
{
    uchar lines[2][W];
    int w[3][3];
    for (int x = 0; x < W; x++)
        lines[0][x] = lines[1][x] = 0;
    for (int k = 0; k < 9; k++)
        w[k / 3][k % 3] = 0;
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            uchar pixel = in[y * W + x];
            for (int k = 0; k < 3; k++) {
                w[k][0] = w[k][1];
                w[k][1] = w[k][2];
            }
            w[0][2] = lines[0][x];
            w[1][2] = lines[1][x];
            w[2][2] = pixel;
            lines[0][x] = lines[1][x];
            lines[1][x] = pixel;
            if (y >= 2 && x >= 2) {
                int gx = w[0][2] + 2 * w[1][2] + w[2][2] - w[0][0] - 2 * w[1][0] - w[2][0];
                int gy = w[2][0] + 2 * w[2][1] + w[2][2] - w[0][0] - 2 * w[0][1] - w[0][2];
                int g = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
                out[(y - 1) * W + x - 1] = g > 255 ? 255 : g;
            }
        }
    }
}
