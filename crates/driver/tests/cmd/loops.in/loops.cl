__kernel void add(__global const int *restrict a, __global int *restrict b, int n) {
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1;
}

__kernel void sum(__global const float *restrict a, __global float *restrict b, int n) {
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    *b = s;
}

__kernel void smooth(__global float *a, int n) {
    for (int i = 1; i < n; i++)
        a[i] = 0.5f * (a[i] + a[i - 1]);
}

__kernel void doubled(__global int *a, int n) {
    for (int i = 0; 2 * i < n; i++)
        a[2 * i] = a[i] + 1;
}
