// Float operations that have an instruction of their own, comparisons, classification, conversions.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void floats(global float *x, global double *d, global half *h, global int *i) {
  x[0] = fma(x[1], x[2], x[3]);
  x[1] = fmin(x[4], x[5]) + copysign(x[6], x[7]);
  x[2] = rint(x[8]) + round(x[9]) + trunc(x[10]);
  i[0] = isnan(x[11]) | isinf(x[12]) << 1 | isnormal(x[13]) << 2 | signbit(x[14]) << 3;
  i[1] = x[15] > x[16] || !(x[17] >= x[18]);
  i[2] = convert_int_sat(x[19]);
  d[0] = sqrt(d[1]) + x[20];
  h[0] = (half)x[21];
  i[3] = islessgreater(x[22], x[23]);
}
