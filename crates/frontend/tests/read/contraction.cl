// options: -cl-mad-enable
// Where the options permit it, a multiplication and an addition become one operation.
kernel void contraction(global float *x) { x[0] = x[1] * x[2] + x[3]; }
