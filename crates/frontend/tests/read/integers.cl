// Saturation, overflow tests, rotations, counting, three-way comparison, wide products.
kernel void integers(global int *a, global uint *u, global long *l, global ulong *m, global uchar *c) {
  a[0] = add_sat(a[0], a[1]);
  a[1] = sub_sat(a[2], a[3]);
  u[0] = add_sat(u[0], u[1]);
  u[1] = sub_sat(u[2], u[3]);
  u[2] = rotate(u[4], u[5]);
  a[2] = popcount(a[4]) + clz(a[5]);
  a[3] = abs(a[6]) - max(a[7], a[8]);
  l[0] = mul_hi(l[1], l[2]);
  m[0] = mul_hi(m[1], m[2]);
  c[0] = hadd(c[1], c[2]);
  a[9] = (a[10] > a[11]) - (a[10] < a[11]);
}
