// A loop that counts down by one and reads what lies two above.
//
// launch: -k down -g 1 -a rand:30:3108:-50:50 -a 27
// expect 0: 16 -48 -2 25 -38 36 36 7 -20 -36 33 31 -22 35 41 -11 -60 26 24 24 6 20 24 -10 -7 7 44 33 -50 -2

__kernel void down(__global int *a, int n)
{
    for (int i = n; i >= 0; i--)
        a[i] -= a[i + 2] / 2;
}
