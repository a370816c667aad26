// options: -cl-std=CL2.0
global int counter = 3;
global short pair[2];
global short *global second = &pair[1];
kernel void count(global int *out) {
  out[0] = counter++;
  *second = 2;
}
kernel void other(global int *out) { out[0] = 1; }
