// A sparse matrix times a vector by one work-item, with rows of none to six elements.
//
// launch: -k spmv -g 1 -a values:0,2,2,5,11,12 -a values:0,3,1,2,4,0,1,2,3,4,5,5 -a rand:12:3218:-2:2 -a rand:6:3219:-1:1 -a zero:5
// expect 4: 1.1374753 0 1.6602854 1.262928 0.32380176

#pragma OPENCL FP_CONTRACT OFF
__kernel void spmv(__global const int *start, __global const int *column, __global const float *value,
                   __global const float *x, __global float *y)
{
    for (int r = 0; r < 5; r++) {
        float s = 0;
        for (int k = start[r]; k < start[r + 1]; k++)
            s += value[k] * x[column[k]];
        y[r] = s;
    }
}
