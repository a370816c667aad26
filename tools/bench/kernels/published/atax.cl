__kernel void atax(__global const T *restrict a, __global const T *restrict x, __global T *restrict y,
                   __global T *restrict product, int rows, int columns) {
    for (int j = 0; j < columns; j++) y[j] = 0;
    for (int i = 0; i < rows; i++) {
        T sum = 0;
        for (int j = 0; j < columns; j++) sum += a[i * columns + j] * x[j];
        product[i] = sum;
        for (int j = 0; j < columns; j++) y[j] += a[i * columns + j] * sum;
    }
}
