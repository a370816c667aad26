constant int one = 1, two = 2;
constant int *constant chosen[] = {&one, &two};
kernel void table(global int *out, int i) {
  out[0] = *chosen[i];
}
