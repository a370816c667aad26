// Constant tables of every layout, and a private array that starts as a copy of one.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef struct { char c; int i; double d; } Mixed;
constant Mixed mixed[2] = {{1, 2, 3.0}, {4, -5, -0.5}};
constant float4 colours[] = {(float4)(1, 2, 3, 4), (float4)(0.5f)};
constant half halves[3] = {1.0h, -2.0h, 0.0h};
kernel void tables(global float *out, int i, int j) {
  int order[6] = {3, 1, 4, 1, 5, 9};
  order[j] = 7;
  out[0] = mixed[i].d + mixed[j].i + colours[i].y + halves[j] + order[i];
}
