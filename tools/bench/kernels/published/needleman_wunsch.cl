#define N 128
__kernel void needleman_wunsch(__global const char *restrict a, __global const char *restrict b, __global int *restrict score,
                               __global char *restrict from) {
    for (int i = 0; i <= N; i++) {
        score[i] = -i;
        score[i * (N + 1)] = -i;
    }
    for (int j = 1; j <= N; j++)
        for (int i = 1; i <= N; i++) {
            int both = score[(j - 1) * (N + 1) + i - 1] + (a[i - 1] == b[j - 1] ? 1 : -1);
            int up = score[(j - 1) * (N + 1) + i] - 1;
            int left = score[j * (N + 1) + i - 1] - 1;
            int best = max(both, max(up, left));
            score[j * (N + 1) + i] = best;
            from[j * (N + 1) + i] = best == left ? 'l' : best == up ? 'u' : 'b';
        }
}
