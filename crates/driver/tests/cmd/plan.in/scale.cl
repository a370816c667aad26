__kernel void scale(__global const float *in, __global float *out, float factor) {
    int i = get_global_id(0);
    out[i] = factor * in[i];
}
