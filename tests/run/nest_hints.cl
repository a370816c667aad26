// The source asks for one loop of three, and for one of two where that is not possible.
//
// launch: -k f -g 1 -a 2 -a 3 -a 4 -a rand:24:3:0:99 -a zero:24
// expect 4: 53 87 72 83 107 88 116 128 106 75 37 29 66 64 44 100 140 127 111 132 84 48 115 74
// launch: -k g -g 1 -a 3 -a 2 -a rand:3:5:0:9 -a zero:3
// expect 3: 9 12 14

__kernel void f(int a, int b, int c, __global const int *restrict in, __global int *restrict out)
{
    int sum = 0;
    #pragma loop_coalesce 3
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++)
            for (int k = 0; k < c; k++) {
                int at = (i * b + j) * c + k;
                sum = (sum >> 1) + in[at];
                out[at] = sum;
            }
}

__kernel void g(int n, int m, __global const int *restrict in, __global int *restrict out)
{
    int sum = 0;
    #pragma loop_coalesce
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            sum += in[i] * j;
        for (int j = 0; j < m; j++)
            sum ^= j;
        out[i] = sum;
    }
}
