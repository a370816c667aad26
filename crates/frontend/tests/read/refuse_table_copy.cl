struct pair {
  constant int *p;
  long n;
};
constant int one = 1, two = 2;
constant struct pair pairs[2] = {{&one, 1}, {&two, 2}};
kernel void copy(global ulong2 *out, int i) {
  out[0] = *(constant ulong2 *)&pairs[i];
}
