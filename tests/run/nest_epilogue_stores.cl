// Sums of rows, stored behind the inner loop; rows may be empty.
//
// launch: -k f -g 1 -a 5 -a 6 -a rand:30:6:-9:9 -a zero:5
// expect 3: 5 34 109 320 947
// launch: -k f -g 1 -a 5 -a 1 -a rand:5:8:-9:9 -a zero:5
// expect 3: 4 7 20 69 202
// launch: -k f -g 1 -a 5 -a 0 -a zero:1 -a fill:5:4
// expect 3: 3 9 27 81 243
// launch: -k f -g 1 -a 0 -a 6 -a zero:1 -a fill:2:4

__kernel void f(int n, int m, __global const int *restrict in, __global int *restrict out)
{
    int before = 1;
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int j = 0; j < m; j++)
            sum += in[i * m + j] ^ j;
        before = before * 3 + sum;
        out[i] = before;
    }
}
