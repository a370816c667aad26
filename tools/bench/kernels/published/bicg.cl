__kernel void bicg(__global const T *restrict a, __global const T *restrict p, __global const T *restrict r,
                   __global T *restrict q, __global T *restrict s, int rows, int columns) {
    for (int j = 0; j < columns; j++) s[j] = 0;
    for (int i = 0; i < rows; i++) {
        T sum = 0;
        for (int j = 0; j < columns; j++) {
            s[j] += r[i] * a[i * columns + j];
            sum += a[i * columns + j] * p[j];
        }
        q[i] = sum;
    }
}
