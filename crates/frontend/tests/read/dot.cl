// A loop with a reduction: phis, names of variables, a float multiplication and addition.
kernel void dot_product(global const float *restrict a, global const float *b, global float *out, int n) {
  int gid = get_global_id(0);
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    sum += a[gid * n + i] * b[i];
  out[gid] = sum;
}
