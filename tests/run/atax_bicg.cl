// Matrix-vector products: y = A'(Ax) by one group with a barrier between the
// halves, and both products of BiCG in one kernel.
//
// launch: -k atax -g 8 -l 8 -a rand:48:431:-9:9 -a rand:6:432:-9:9 -a zero:6 -a zero:8
// expect 2: -5426 -1110 -4397 -358 -4298 2533
// expect 3: 121 -215 -102 -27 183 1 26 172
// launch: -k bicg -g 8 -l 4 -a rand:48:431:-9:9 -a rand:8:433:-9:9 -a rand:6:434:-9:9 -a zero:8 -a zero:6
// expect 3: -125 110 -28 73 12 -168 37 -92
// expect 4: 83 9 108 -5 150 -38

#define M 8
#define N 6
__kernel void atax(__global const int *A, __global const int *x, __global int *y, __global int *tmp)
{
    int i = get_local_id(0);
    int s = 0;
    for (int j = 0; j < N; j++)
        s += A[i * N + j] * x[j];
    tmp[i] = s;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i < N) {
        s = 0;
        for (int r = 0; r < M; r++)
            s += A[r * N + i] * tmp[r];
        y[i] = s;
    }
}

__kernel void bicg(__global const int *A, __global const int *r, __global const int *p, __global int *q, __global int *s)
{
    int i = get_global_id(0);
    int row = 0, column = 0;
    for (int k = 0; k < M; k++) {
        if (k < N)
            row += A[i * N + k] * p[k];
        if (i < N)
            column += r[k] * A[k * N + i];
    }
    q[i] = row;
    if (i < N)
        s[i] = column;
}
