__kernel void spmv_rows(__global const T *restrict value, __global const int *restrict column, __global const T *restrict x,
                        __global T *restrict y, int rows, int width) {
    for (int i = 0; i < rows; i++) {
        T sum = y[i];
        for (int k = 0; k < width; k++) sum += value[i * width + k] * x[column[i * width + k]];
        y[i] = sum;
    }
}
