// What an outer iteration stores before the inner loop, and what that reads of it.
//
// launch: -k f -g 1 -a 4 -a 3 -a rand:12:5:0:9 -a zero:4 -a zero:12
// expect 3: 0 12 6 17
// expect 4: 8 20 43 31 63 132 17 39 78 33 67 138
// launch: -k f -g 1 -a 4 -a 0 -a zero:1 -a zero:4 -a fill:3:8
// expect 3: 0 1 2 3

__kernel void f(int n, int m, __global const int *restrict in, __global int *restrict row, __global int *restrict out)
{
    int last = 0;
    for (int i = 0; i < n; i++) {
        row[i] = last + i;
        int sum = last;
        for (int j = 0; j < m; j++) {
            sum = sum * 2 + in[i * m + j];
            out[i * m + j] = sum;
        }
        last = sum & 15;
    }
}
