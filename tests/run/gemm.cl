// C = alpha*A*B + beta*C, one element per work-item, rectangular.
//
// launch: -k gemm -g 6,5 -l 3,1 -a 5 -a 6 -a 7 -a 1.5 -a 0.75 -a rand:35:401:-1:1 -a rand:42:402:-1:1 -a rand:30:403:-1:1
// expect 7: 1.2159296 -0.54620963 2.5136528 -1.1533087 2.327191 -0.87962025 -0.46642393 0.37416673 -1.161176
// expect 7: 0.81428784 0.8717145 1.8726976 -0.07249606 -2.6049232 2.2750912 -0.15795702 3.2561123 -0.44892508
// expect 7: 1.3118404 1.3630538 -0.30680323 1.324271 1.1211066 -1.4413731 0.18054034 -2.997135 -0.16334745 1.2555652
// expect 7: 2.006935 0.89628917

#pragma OPENCL FP_CONTRACT OFF
__kernel void gemm(int ni, int nj, int nk, float alpha, float beta, __global const float *A, __global const float *B, __global float *C)
{
    int j = get_global_id(0);
    int i = get_global_id(1);
    if (i >= ni || j >= nj)
        return;
    float acc = C[i * nj + j] * beta;
    for (int k = 0; k < nk; k++)
        acc += alpha * A[i * nk + k] * B[k * nj + j];
    C[i * nj + j] = acc;
}
