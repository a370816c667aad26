// The inner loop has fewer iterations each time.
//
// launch: -k f -g 1 -a 6 -a rand:6:22:0:50 -a zero:21
// expect 2: 196 419 419 419 419 429 894 894 894 894 920 920 920 920 920 920 920 920 920 920 941
// launch: -k f -g 1 -a 2 -a values:3,4 -a zero:4
// expect 2: 9 11 14 0

__kernel void f(int n, __global const int *restrict in, __global int *restrict out)
{
    int at = 0, best = -1;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            best = max(best, in[i] * in[j] - at);
            out[at++] = best;
        }
}
