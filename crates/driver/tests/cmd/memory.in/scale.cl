__kernel void scale(__global const float *x, __global const float *factor, __global float *sums, int count) {
    int i = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < count; k++)
        sum += x[i * count + k] * factor[2];
    sums[i] = sum;
}
