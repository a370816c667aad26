// options: -cl-std=CL2.0
global int counter = 3;
kernel void count(global int *out) {
  out[0] = counter++;
}
