__kernel void transpose(__global const int *restrict a, __global int *restrict b, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[j * n + i] = a[i * n + j];
}
