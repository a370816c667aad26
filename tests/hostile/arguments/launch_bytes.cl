// launch: -g 1 -a zero:4611686018427387905
__kernel void k(__global int *x) { x[0] = 1; }
