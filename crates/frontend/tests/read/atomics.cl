// Atomic operations on both widths, compare-and-exchange, exchange of floats.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void atomics(volatile global int *a, volatile global ulong *b, volatile local uint *c, volatile global float *f) {
  int old = atomic_add(a, 3);
  atomic_min(a + 1, old);
  atomic_max(c, (uint)old);
  atom_add(b, 5ul);
  a[2] = atomic_cmpxchg(a + 3, old, 9);
  *f = atomic_xchg(f + 1, 2.5f);
  a[4] = atomic_inc(c) + atomic_dec(a);
}
