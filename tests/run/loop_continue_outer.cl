// The inner loop may go on with the next iteration of the outer one, or end both.
//
// launch: -k rows -g 1 -a rand:48:3121:0:20 -a 8 -a zero:9
// expect 2: 61 87 68 64 45 0 33 50 7

__kernel void rows(__global const int *m, int n, __global int *out)
{
    int done = 0;
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int j = 0; j < 6; j++) {
            int v = m[i * 6 + j];
            if (v == 13)
                goto next;
            if (v == 20 && i > 5)
                goto end;
            sum += v;
        }
        out[i] = sum;
        done++;
    next:;
    }
end:
    out[8] = done;
}
