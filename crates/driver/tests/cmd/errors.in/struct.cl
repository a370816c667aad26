struct pair { int a; int b; };
__kernel void k(struct pair p, __global int *out) { out[0] = p.a + p.b; }
