// Each row needs the one before, from a private array: rows are shorter than what memory takes.
//
// launch: -k f -g 1 -a 6 -a 5 -a rand:6:1:0:3 -a rand:5:2:0:3 -a zero:2
// expect 4: 3 30
// launch: -k f -g 1 -a 9 -a 1 -a rand:9:1:0:1 -a values:1 -a zero:2
// expect 4: 1 9
// launch: -k f -g 1 -a 3 -a 0 -a rand:3:1:0:1 -a values:1 -a zero:2
// launch: -k f -g 1 -a 12 -a 13 -a rand:12:7:0:2 -a rand:13:9:0:2 -a zero:2
// expect 4: 8 156

__kernel void f(int n, int m, __global const uchar *restrict a, __global const uchar *restrict b, __global int *restrict out)
{
    int row[32];
    for (int j = 0; j <= m; j++)
        row[j] = 0;
    int steps = 0;
    for (int i = 0; i < n; i++) {
        int diagonal = 0, left = 0;
        uchar c = a[i];
        for (int j = 0; j < m; j++) {
            int up = row[j + 1];
            int v = c == b[j] ? diagonal + 1 : max(up, left);
            diagonal = up;
            left = v;
            row[j + 1] = v;
            steps++;
        }
    }
    out[0] = row[m];
    out[1] = steps;
}
