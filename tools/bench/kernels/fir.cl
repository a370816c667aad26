// A filter of `taps` coefficients, which lie in a buffer.
__kernel void fir(__global const float *samples, __global const float *coefficients,
                  __global float *out, int taps) {
    int i = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < taps; ++k)
        sum += samples[i + k] * coefficients[k];
    out[i] = sum;
}
