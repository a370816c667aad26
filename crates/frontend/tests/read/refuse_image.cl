kernel void blur(global float *out,
                 read_only image2d_t picture) {
  out[0] = 1;
}
