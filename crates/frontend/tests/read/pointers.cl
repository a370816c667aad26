// Pointers chosen, kept in private memory and cast to numbers: each access names what it may touch.
kernel void pointers(global int *a, global int *b, local int *c, int n) {
  global int *chosen = n > 3 ? a : b;
  *chosen = 1;
  global int *kept[4];
  kept[n & 3] = a;
  kept[(n + 1) & 3] = b;
  *kept[n & 1] = 2;
  global int *walk = a;
  while (*walk != 0)
    walk += n;
  ulong number = (ulong)b + 8;
  *(global int *)number = 3;
  *(global int *)(ulong)n = 4;
  c[n] = (int)(chosen - a);
}
