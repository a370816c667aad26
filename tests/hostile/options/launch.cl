// launch: -g 1 -a zero:1 -Wp,-MD,stolen
kernel void k(global int *x) { x[0] = 1; }
