// printf: the format as written, vectors lane by lane, strings as tables.
kernel void print(int n, float4 v) {
  printf("n = %d, v = %v4hlf, %s, 100%%\n", n, v, "done");
}
