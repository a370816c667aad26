__kernel void fir(__global const float *restrict x, __constant float *restrict h, __global float *restrict y, int n) {
    float d[16];
    for (int t = 0; t < 16; t++) d[t] = 0.0f;
    for (int i = 0; i < n; i++) {
        for (int t = 15; t > 0; t--) d[t] = d[t - 1];
        d[0] = x[i];
        float s = 0.0f;
        for (int t = 0; t < 16; t++) s += h[t] * d[t];
        y[i] = s;
    }
}
