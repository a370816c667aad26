kernel void print(int n) {
  constant char *format = n > 3 ? "many %d\n" : "few %d\n";
  printf(format, n);
}
