// A matrix product by one work-item, with the sum in a value and with the sum in memory.
//
// launch: -k in_value -g 1 -a rand:30:3226:-1:1 -a rand:24:3227:-1:1 -a zero:20 -a 5 -a 6 -a 4
// expect 2: 0.7766481 1.5459013 0.9599784 -2.0065348 -0.06004238 0.3128103 -0.30116278 0.4749783 -0.7565325
// expect 2: 0.36777288 -0.22376163 -0.06543775 0.03307374 -0.3131864 1.0016631 0.15826492 0.6186911 0.19690701
// expect 2: 0.6549382 -0.09451918
// launch: -k in_memory -g 1 -a rand:30:3226:-1:1 -a rand:24:3227:-1:1 -a zero:20 -a 5 -a 6 -a 4
// expect 2: 0.7766481 1.5459013 0.9599784 -2.0065348 -0.06004238 0.3128103 -0.30116278 0.4749783 -0.7565325
// expect 2: 0.36777288 -0.22376163 -0.06543775 0.03307374 -0.3131864 1.0016631 0.15826492 0.6186911 0.19690701
// expect 2: 0.6549382 -0.09451918

#pragma OPENCL FP_CONTRACT OFF
__kernel void in_value(__global const float *a, __global const float *b, __global float *c, int n, int m, int l)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < l; j++) {
            float s = 0;
            for (int k = 0; k < m; k++)
                s += a[i * m + k] * b[k * l + j];
            c[i * l + j] = s;
        }
}

__kernel void in_memory(__global const float *a, __global const float *b, __global float *c, int n, int m, int l)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            for (int j = 0; j < l; j++)
                c[i * l + j] += a[i * m + k] * b[k * l + j];
}
