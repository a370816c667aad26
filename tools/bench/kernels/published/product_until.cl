__kernel void product_until(__global const int *restrict a, __global const int *restrict b, __global int *restrict c) {
    int product, i = 0;
    do {
        product = a[i] * b[i];
        c[i] = product;
        i++;
    } while (product < 1000);
}
