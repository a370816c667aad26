// Each work-item adds the numbers of its row of a matrix.
__kernel void rows(__global const float *a, __global float *out, int n) {
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k];
    out[row] = sum;
}
