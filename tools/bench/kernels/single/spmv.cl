__kernel void spmv(__global const int *restrict start, __global const int *restrict column,
                   __global const float *restrict value, __global const float *restrict x,
                   __global float *restrict y, int rows) {
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int k = start[r]; k < start[r + 1]; k++) sum += value[k] * x[column[k]];
        y[r] = sum;
    }
}
