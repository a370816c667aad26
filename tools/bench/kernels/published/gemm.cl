__kernel void gemm(__global const T *restrict a, __global const T *restrict b, __global T *restrict c, T alpha, T beta,
                   int rows, int columns, int depth) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) c[i * columns + j] *= beta;
        for (int k = 0; k < depth; k++)
            for (int j = 0; j < columns; j++) c[i * columns + j] += alpha * a[i * depth + k] * b[k * columns + j];
    }
}
