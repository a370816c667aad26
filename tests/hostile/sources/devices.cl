#include "/dev/zero"
#include "/dev/full"
kernel void k(global int *x) { x[0] = 1; }
