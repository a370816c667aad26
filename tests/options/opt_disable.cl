// Without optimisation, loops, calls, vectors, private arrays and switches still mean the same.
//
// launch: -k sums -cl-opt-disable -g 4 -l 2 -a iota:16 -a zero:4
// expect 1: 14 38 54 94
// launch: -k sums -g 4 -l 2 -a iota:16 -a zero:4
// expect 1: 14 38 54 94
int weigh(int4 v, int how) {
  switch (how) {
    case 0: return v.x + 2 * v.y + v.z * v.z + v.w * v.w - 1;
    case 1: return v.x + v.y + v.z + v.w + 16;
    case 2: return v.x + v.y + v.z + v.w + 16;
    default: return v.x + v.y + v.z + v.w + 40;
  }
}

__kernel void sums(__global const int *x, __global int *out) {
  size_t i = get_global_id(0);
  int part[4];
  for (int k = 0; k < 4; k++) part[k] = x[4 * i + k];
  out[i] = weigh((int4)(part[0], part[1], part[2], part[3]), i);
}
