// Reads of odd elements and writes of even ones never meet.
//
// launch: -k parity -g 1 -a rand:41:3112:0:999 -a 20
// expect 0: 1948 542 1358 222 2444 823 375 109 1211 519 1335 626 1453 242 2701 931 330 95 1769 765 1243 239 375 140
// expect 0: 2609 839 2180 969 792 83 865 173 423 157 2419 798 2050 914 2270 864 426

__kernel void parity(__global int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[2 * i] = a[2 * i + 1] * 2 + a[2 * (n - i) - 1];
}
