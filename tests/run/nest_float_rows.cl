// Prefix sums of rows, in the order of the program.
//
// launch: -k f -g 1 -a 3 -a 5 -a values:1e8,1,-1e8,3,0.25,0.1,0.2,0.3,0.4,0.5,-1,1e-3,2,1e6,1 -a zero:15
// expect 3: 100000000 100000000 0 3 3.25 0.1 0.3 0.6 1 1.5 -1 -0.999 1.0009999 1000001 1000002

__kernel void f(int n, int m, __global const float *restrict in, __global float *restrict out)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) {
            sum += in[i * m + j];
            out[i * m + j] = sum;
        }
    }
}
