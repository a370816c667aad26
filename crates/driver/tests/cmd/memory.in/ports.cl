__kernel void rows(__global const float *restrict once, __global const float *restrict table,
                   __global const float *restrict rows, __global float *restrict sums) {
    int i = get_global_id(0);
    float sum = once[i];
    for (int k = 0; k < 64; k++)
        sum += rows[i * 64 + k] * table[k];
    sums[i] = sum;
}
__kernel void placed(__global const float *a __attribute__((buffer_location("DDR1"))),
                     __global float *b __attribute__((buffer_location("DDR0")))) {
    b[get_global_id(0)] = a[get_global_id(0)];
}
