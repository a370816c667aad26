// Branches before, in and behind the inner loop.
//
// launch: -k f -g 1 -a 6 -a 4 -a values:1,0,0,1,1,0 -a rand:24:13:0:20 -a zero:6 -a zero:24
// expect 4: 0 0 551 0 0 0
// expect 5: 0 16 16 16 16 16 16 16 16 0 0 55 3 0 0 0 0 14 14 14 14 0 0 36

__kernel void f(int n, int m, __global const int *restrict resets, __global const int *restrict in, __global int *restrict rows, __global int *restrict out)
{
    int sum = 3, low = 0;
    for (int i = 0; i < n; i++) {
        if (resets[i]) {
            sum = i;
            low++;
        }
        for (int j = 0; j < m; j++) {
            int x = in[i * m + j];
            if (x > 9)
                sum += x;
            else
                out[i * m + j] = sum;
        }
        if (sum & 1)
            rows[i] = sum * 10 + low;
    }
}
