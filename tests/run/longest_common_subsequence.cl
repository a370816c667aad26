// LCS table by anti-diagonals with one group, then one work-item walks back
// and writes the subsequence.
//
// launch: -k lcs -g 8 -l 8 -a values:1,2,3,2,4,1,2,5 -a values:2,4,3,1,2,1,5 -a 7 -a zero:72 -a zero:8
// expect 3: 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 1 0 1 1 1 1 2 2 2 0 1 1 2 2 2 2 2 0 1 1 2 2 3 3 3 0 1 2 2 2 3 3 3 0 1 2 2 3
// expect 3: 3 4 4 0 1 2 2 3 4 4 4 0 1 2 2 3 4 4 5
// expect 4: 2 3 2 1 5 0 0 5

__kernel void lcs(__global const int *a, __global const int *b, int m, __global int *table, __global int *out)
{
    int n = get_local_size(0), i = get_local_id(0) + 1, w = m + 1;
    for (int d = 2; d <= n + m; d++) {
        int j = d - i;
        if (j >= 1 && j <= m) {
            int t;
            if (a[i - 1] == b[j - 1])
                t = table[(i - 1) * w + j - 1] + 1;
            else
                t = max(table[(i - 1) * w + j], table[i * w + j - 1]);
            table[i * w + j] = t;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (i != n)
        return;
    int j = m, k = table[n * w + m];
    out[7] = k;
    while (i > 0 && j > 0) {
        if (a[i - 1] == b[j - 1]) {
            out[--k] = a[i - 1];
            i--;
            j--;
        } else if (table[(i - 1) * w + j] >= table[i * w + j - 1])
            i--;
        else
            j--;
    }
}
