__kernel void prefix_sum(__global const float *restrict a, __global float *restrict c, int n) {
    float s = 0.0f;
    for (int i = 0; i < n; i++) { s += a[i]; c[i] = s; }
}
