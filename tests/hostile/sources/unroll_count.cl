__kernel void k(__global const int *x, __global int *out) {
  int s = 0;
  __attribute__((opencl_unroll_hint(30000)))
  for (int i = 0; i < 30000; i++) s += x[i] * x[i + s];
  out[0] = s;
}
