// G = (A*B)*(C*D) by one group: both inner products go to local memory before
// the outer one; unsigned bytes widen step by step.
//
// launch: -k three_mm -g 6,6 -l 6,6 -a rand:36:1311:0:9 -a rand:36:1312:0:9 -a rand:36:1313:0:9 -a rand:36:1314:0:9 -a zero:36
// expect 4: 181290 82108 117913 79716 127747 148198 74772 34203 48776 33168 52416 60814 136324 63360 89286 61009
// expect 4: 94885 110584 91257 42401 59981 41120 63598 73316 167362 77629 109455 74939 116342 135608 71690 32378
// expect 4: 46689 31359 50846 58884

#define N 6
__kernel void three_mm(__global const uchar *A, __global const uchar *B, __global const uchar *C, __global const uchar *D, __global uint *G)
{
    __local ushort E[N][N], F[N][N];
    int j = get_local_id(0), i = get_local_id(1);
    ushort e = 0, f = 0;
    for (int k = 0; k < N; k++) {
        e += A[i * N + k] * B[k * N + j];
        f += C[i * N + k] * D[k * N + j];
    }
    E[i][j] = e;
    F[i][j] = f;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint g = 0;
    for (int k = 0; k < N; k++)
        g += (uint)E[i][k] * F[k][j];
    G[i * N + j] = g;
}
