__kernel void common_subsequence(__global const uchar *restrict a, __global const uchar *restrict b, __global int *restrict out, int n, int m) {
    int row[256];
    for (int j = 0; j <= m; j++) row[j] = 0;
    for (int i = 0; i < n; i++) {
        int diag = 0, left = 0;
        uchar c = a[i];
        for (int j = 0; j < m; j++) {
            int up = row[j + 1];
            int v = (c == b[j]) ? diag + 1 : max(up, left);
            diag = up; left = v;
            row[j + 1] = v;
        }
    }
    out[0] = row[m];
}
