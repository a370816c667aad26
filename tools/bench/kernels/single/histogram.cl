__kernel void histogram(__global const uchar *restrict a, __global uint *restrict h, int n) {
    uint bins[256];
    for (int i = 0; i < 256; i++) bins[i] = 0;
    for (int i = 0; i < n; i++) bins[a[i]]++;
    for (int i = 0; i < 256; i++) h[i] = bins[i];
}
