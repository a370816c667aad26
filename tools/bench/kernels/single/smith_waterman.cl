#define MOST 128
__kernel void smith_waterman(__global const char *restrict a, __global const char *restrict b,
                             __global int *restrict score, int n, int m) {
    int row[MOST + 1];
    for (int j = 0; j <= m; j++) row[j] = 0;
    int best = 0;
    for (int i = 1; i <= n; i++) {
        int diagonal = 0, left = 0;
        for (int j = 1; j <= m; j++) {
            int up = row[j];
            int h = max(max(0, diagonal + (a[i - 1] == b[j - 1] ? 2 : -1)), max(up, left) - 1);
            diagonal = up;
            row[j] = left = h;
            best = max(best, h);
        }
    }
    *score = best;
}
