// RNA folding by dynamic programming over the anti-diagonals of a triangle,
// one work-group, the table in local memory.
//
// launch: -k fold -g 12 -l 12 -a values:0,2,1,3,3,0,2,1,1,2,0,3 -a zero:144 -a zero:1
// expect 1: 0 0 0 1 1 1 2 3 3 3 3 4 0 0 0 0 0 1 2 3 3 3 3 3 0 0 0 0 0 1 2 2 2 3 3 3 0 0 0 0 0 1 1 1 2 2 2 2 0 0 0 0 0
// expect 1: 0 0 0 1 1 2 2 0 0 0 0 0 0 0 0 1 1 1 2 0 0 0 0 0 0 0 0 1 1 1 1 0 0 0 0 0 0 0 0 0 1 1 1 0 0 0 0 0 0 0 0 0 0
// expect 1: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 2: 4

#define N 12
bool pairs(uchar a, uchar b)
{
    return a + b == 3;
}

__kernel void fold(__global const uchar *seq, __global uchar *out, __global int *best)
{
    __local uchar t[N][N];
    int i = get_local_id(0);
    for (int j = 0; j < N; j++)
        t[i][j] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = 1; span < N; span++) {
        int j = i + span;
        if (j < N) {
            uchar b = max(t[i][j - 1], t[i + 1][j]);
            if (pairs(seq[i], seq[j])) {
                uchar inner = span > 1 ? t[i + 1][j - 1] : (uchar)0;
                b = max(b, (uchar)(inner + (span > 1)));
            }
            for (int k = i + 1; k < j; k++)
                b = max(b, (uchar)(t[i][k] + t[k + 1][j]));
            t[i][j] = b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int j = 0; j < N; j++)
        out[i * N + j] = t[i][j];
    if (i == 0)
        *best = t[0][N - 1];
}
