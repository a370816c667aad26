__kernel void first(__global int *out) { out[0] = 1; }
__kernel void second(__global int *out) { out[0] = 2; }
