__kernel void sum_until(__global const int *restrict a, __global const int *restrict b, __global int *restrict c) {
    for (int i = 0; i < 1000; i++) {
        int sum = a[i] + b[i];
        c[i] = sum;
        if (1000 - sum <= 5 * sum) break;
    }
}
