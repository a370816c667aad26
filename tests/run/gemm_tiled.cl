// Matrix product by square tiles in local memory, with a remainder tile where
// the size is not a multiple; barriers inside the tile loop.
//
// launch: -k matmul -D TS=4 -g 8,8 -l 4,4 -a 6 -a rand:36:411:-2:2 -a rand:36:412:-2:2 -a zero:36
// expect 3: -2.0567951 7.212627 2.3122184 2.433568 4.7012076 0.14979607 -3.2976432 -2.8439176 2.8365664 -1.7286557
// expect 3: 1.9082459 2.4804552 3.6882856 1.1221483 3.2101974 -0.94002146 -0.44782534 -6.2071395 -3.8268757
// expect 3: -5.1429195 -1.8492196 -5.9263477 -1.3982844 2.5140054 -2.2918577 -0.10348809 0.668481 -5.5753126
// expect 3: -3.7878592 -0.7012506 0.38536093 3.348811 -0.7889886 4.1588907 -0.3834126 2.5510669
// launch: -k matmul -D TS=2 -g 6,6 -l 2,2 -a 6 -a rand:36:411:-2:2 -a rand:36:412:-2:2 -a zero:36
// expect 3: -2.0567951 7.212627 2.3122184 2.433568 4.7012076 0.14979607 -3.2976432 -2.8439176 2.8365664 -1.7286557
// expect 3: 1.9082459 2.4804552 3.6882856 1.1221483 3.2101974 -0.94002146 -0.44782534 -6.2071395 -3.8268757
// expect 3: -5.1429195 -1.8492196 -5.9263477 -1.3982844 2.5140054 -2.2918577 -0.10348809 0.668481 -5.5753126
// expect 3: -3.7878592 -0.7012506 0.38536093 3.348811 -0.7889886 4.1588907 -0.3834126 2.5510669

#pragma OPENCL FP_CONTRACT OFF
__kernel void matmul(const int n, __global const float *a, __global const float *b, __global float *c)
{
    __local float as[TS][TS];
    __local float bs[TS][TS + 1];
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int col = get_group_id(0) * TS + tx, row = get_group_id(1) * TS + ty;
    float sum = 0.0f;
    for (int t = 0; t < (n + TS - 1) / TS; t++) {
        const int ax = t * TS + tx, by = t * TS + ty;
        as[ty][tx] = row < n && ax < n ? a[row * n + ax] : 0.0f;
        bs[ty][tx] = by < n && col < n ? b[by * n + col] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int k = 0; k < TS; k++)
            sum += as[ty][k] * bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}
