// A sparse matrix by rows times a vector, one row per work-item.
__kernel void spmv(__global const int *starts, __global const int *columns,
                   __global const float *values, __global const float *x, __global float *y) {
    int row = get_global_id(0);
    float sum = 0.0f;
    int end = starts[row + 1];
    for (int k = starts[row]; k < end; ++k)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}
