// launch: -g 1 -a zero:1
// expect 0: 1
__kernel void k(__global int *x) { x[0] = 1; }
