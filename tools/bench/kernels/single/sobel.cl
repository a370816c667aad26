#define W 64
__kernel void sobel(__global const uchar *restrict in, __global uchar *restrict out, int h) {
    uchar l0[W], l1[W];
    for (int x = 0; x < W; x++) { l0[x] = 0; l1[x] = 0; }
    for (int y = 0; y < h; y++) {
        int a0 = 0, a1 = 0, b0 = 0, b1 = 0, c0 = 0, c1 = 0;
        for (int x = 0; x < W; x++) {
            int a2 = l0[x], b2 = l1[x], c2 = in[y * W + x];
            l0[x] = b2; l1[x] = c2;
            int gx = a2 - a0 + 2 * (b2 - b0) + c2 - c0;
            int gy = c0 + 2 * c1 + c2 - a0 - 2 * a1 - a2;
            int g = abs(gx) + abs(gy);
            out[y * W + x] = g > 255 ? 255 : g;
            a0 = a1; a1 = a2; b0 = b1; b1 = b2; c0 = c1; c1 = c2;
        }
    }
}
