__kernel void k(__read_only image2d_t img, __global int *out) { out[0] = 1; }
