// launch: -g 4294967296,4294967296 -a zero:1
__kernel void k(__global int *x) { x[0] = 1; }
