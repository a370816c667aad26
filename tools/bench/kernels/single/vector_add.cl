__kernel void vector_add(__global const float *restrict a, __global const float *restrict b, __global float *restrict c, int n) {
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}
