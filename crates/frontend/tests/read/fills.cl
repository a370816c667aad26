// Private arrays that start as zeros: memset of a short, a long and an odd length.
kernel void fills(global int *out, int i) {
  int small[8] = {0};
  long large[70] = {0};
  char odd[11] = {0};
  small[i] = 1;
  large[i] = 2;
  odd[i] = 3;
  out[0] = small[out[1]] + large[out[2]] + odd[out[3]];
}
