// Booleans and small integers in private memory.
kernel void booleans(global int *a, int n) {
  bool seen[8];
  for (int i = 0; i < n; i++)
    seen[a[i] & 7] = a[i] > n;
  a[0] = seen[n & 7] ? 1 : 2;
}
