// Each work-item multiplies its row of one matrix with its row of another.
__kernel void dot_rows(__global const float *a, __global const float *b, __global float *out, int n) {
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[row * n + k];
    out[row] = sum;
}
