// A switch, an early return, a do-while with two exits, an infinite loop that cannot be left.
kernel void control(global int *a, int n) {
  switch (n) {
    case 1: a[0] = 5; break;
    case 7: a[1] = 6;
    case 9: a[2] = 7; break;
    default: a[3] = 8;
  }
  if (n == 12)
    return;
  int i = 0;
  do {
    if (a[i] == n)
      break;
    i += 2;
  } while (i < n);
  a[4] = i;
}
