__kernel void mvt(__global const T *restrict a, __global const T *restrict y1, __global const T *restrict y2,
                  __global T *restrict x1, __global T *restrict x2, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x1[i] += a[i * n + j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x2[i] += a[j * n + i] * y2[j];
}
