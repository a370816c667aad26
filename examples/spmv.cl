// A sparse matrix in compressed rows times a vector: one row per work-item.
//
// launch: -g 4 -a values:0,2,3,3,6 -a values:0,2,1,0,1,3 -a values:4,1,2,1,5,3 -a iota:4 -a zero:4
// expect 4: 2 2 0 14
__kernel void spmv(__global const int *row_start, __global const int *column,
                   __global const float *value, __global const float *x, __global float *y) {
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int k = row_start[row]; k < row_start[row + 1]; ++k)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}
