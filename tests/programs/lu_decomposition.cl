// LU decomposition in place by blocks: the block on the diagonal, the blocks right of it and below
// it, then all others.
#pragma OPENCL FP_CONTRACT OFF
#define AT(y, x) ((size_t)(y) * stride + (x))

__kernel void diagonal(__global float *m, int stride, int offset) {
    __local float block[BLOCK][BLOCK];
    int lane = get_local_id(0);
    for (int y = 0; y < BLOCK; ++y)
        block[y][lane] = m[AT(offset + y, offset + lane)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < BLOCK - 1; ++i) {
        if (lane > i) {
            for (int k = 0; k < i; ++k)
                block[lane][i] -= block[lane][k] * block[k][i];
            block[lane][i] /= block[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane > i)
            for (int k = 0; k <= i; ++k)
                block[i + 1][lane] -= block[i + 1][k] * block[k][lane];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < BLOCK; ++y)
        m[AT(offset + y, offset + lane)] = block[y][lane];
}

// Even groups do a block of the row of blocks, odd ones a block of the column.
__kernel void perimeter(__global float *m, int stride, int offset) {
    __local float corner[BLOCK][BLOCK];
    __local float block[BLOCK][BLOCK];
    int lane = get_local_id(0), group = get_group_id(0);
    bool below = group & 1;
    int far = offset + (group / 2 + 1) * BLOCK;
    int top = below ? far : offset, left = below ? offset : far;
    for (int y = 0; y < BLOCK; ++y) {
        corner[y][lane] = m[AT(offset + y, offset + lane)];
        block[y][lane] = m[AT(top + y, left + lane)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < BLOCK; ++i)
        if (below) {
            for (int k = 0; k < i; ++k)
                block[lane][i] -= block[lane][k] * corner[k][i];
            block[lane][i] /= corner[i][i];
        } else {
            for (int k = 0; k < i; ++k)
                block[i][lane] -= corner[i][k] * block[k][lane];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = 0; y < BLOCK; ++y)
        m[AT(top + y, left + lane)] = block[y][lane];
}

__kernel void others(__global float *m, int stride, int offset) {
    int x = offset + BLOCK + get_global_id(0), y = offset + BLOCK + get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < BLOCK; ++k)
        sum += m[AT(y, offset + k)] * m[AT(offset + k, x)];
    m[AT(y, x)] -= sum;
}
