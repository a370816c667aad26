// Symmetric rank-k and rank-2k updates that touch only the lower triangle:
// work-items above the diagonal leave early.
//
// launch: -k syrk -g 6,6 -l 2,3 -a 2 -a -1 -a rand:24:451:-4:4 -a rand:36:452:-4:4
// expect 3: 62 -1 0 -4 -1 -3 11 25 1 4 3 -2 -42 -1 71 3 -1 -3 -8 -5 8 49 4 1 -48 -14 66 24 79 -2 -36 30 35 -11 17 88
// launch: -k syr2k -g 6,6 -l 6,1 -a 2 -a -1 -a rand:24:451:-4:4 -a rand:24:453:-4:4 -a rand:36:452:-4:4
// expect 4: -64 -1 0 -4 -1 -3 -13 3 1 4 3 -2 20 27 33 3 -1 -3 16 -41 -32 -25 4 1 32 30 32 -26 23 -2 -30 6 57 -61 63
// expect 4: 122

#define N 6
#define M 4
__kernel void syrk(short alpha, short beta, __global const short *A, __global short *C)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (j > i)
        return;
    short acc = C[i * N + j] * beta;
    for (int k = 0; k < M; k++)
        acc += alpha * A[i * M + k] * A[j * M + k];
    C[i * N + j] = acc;
}

__kernel void syr2k(short alpha, short beta, __global const short *A, __global const short *B, __global short *C)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (j <= i) {
        int acc = beta * C[i * N + j];
        for (int k = 0; k < M; k++)
            acc += A[j * M + k] * alpha * B[i * M + k] + B[j * M + k] * alpha * A[i * M + k];
        C[i * N + j] = (short)acc;
    }
}
