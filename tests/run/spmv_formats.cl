// Sparse matrix times vector in CSR (one work-item and one group per row),
// ELLPACK and jagged diagonals.
//
// launch: -k csr -g 6 -l 2 -a 5 -a values:0,2,2,5,6,9 -a values:0,3,1,2,4,0,0,2,4 -a values:5,-2,3,4,1,7,2,-3,6 -a values:1,2,3,4,5 -a zero:5
// expect 5: -3 0 23 7 23
// launch: -k csr_groups -g 20 -l 4 -a values:0,2,2,5,6,9 -a values:0,3,1,2,4,0,0,2,4 -a values:5,-2,3,4,1,7,2,-3,6 -a values:1,2,3,4,5 -a zero:5
// expect 4: -3 0 23 7 23
// launch: -k ell -g 5 -l 5 -a 3 -a values:0,-1,1,0,0,3,-1,2,-1,2,-1,-1,4,-1,4 -a values:5,0,3,7,2,-2,0,4,0,-3,0,0,1,0,6 -a values:1,2,3,4,5 -a zero:5
// expect 4: -3 0 23 7 23
// launch: -k jds -g 5 -l 1 -a values:3,3,2,1,0 -a values:0,4,7 -a values:1,0,0,0,2,2,3,4,4 -a values:3,2,5,7,4,-3,-2,1,6 -a values:2,4,0,3,1 -a values:1,2,3,4,5 -a zero:5
// expect 6: -3 0 23 7 23

__kernel void csr(int rows, __global const int *start, __global const int *col, __global const int *val, __global const int *x, __global int *y)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    int s = 0;
    for (int k = start[r]; k < start[r + 1]; k++)
        s += val[k] * x[col[k]];
    y[r] = s;
}

__kernel void csr_groups(__global const int *start, __global const int *col, __global const int *val, __global const int *x, __global int *y)
{
    __local int part[4];
    int r = get_group_id(0), l = get_local_id(0);
    int s = 0;
    for (int k = start[r] + l; k < start[r + 1]; k += 4)
        s += val[k] * x[col[k]];
    part[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 2)
        part[l] += part[l + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        y[r] = part[0] + part[1];
}

__kernel void ell(int width, __global const int *col, __global const int *val, __global const int *x, __global int *y)
{
    size_t r = get_global_id(0), rows = get_global_size(0);
    int s = 0;
    for (int k = 0; k < width; k++) {
        int c = col[k * rows + r];
        if (c < 0)
            continue;
        s += val[k * rows + r] * x[c];
    }
    y[r] = s;
}

__kernel void jds(__global const int *length, __global const int *start, __global const int *col, __global const int *val, __global const int *perm, __global const int *x, __global int *y)
{
    int r = get_global_id(0);
    int s = 0;
    for (int k = 0; k < length[r]; k++)
        s += val[start[k] + r] * x[col[start[k] + r]];
    y[perm[r]] = s;
}
