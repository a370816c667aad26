// Each iteration reads what the last one has written to global memory.
//
// launch: -k chain -g 1 -a rand:32:3103:0:999 -a 32
// expect 0: 449 471 104 638 300 430 615 965 346 223 106 352 931 276 880 3 271 924 120 510 761 551 158 212 52 808 41
// expect 0: 352 553 144 93 678

__kernel void chain(__global int *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = (a[i] + 7 * a[i - 1]) % 1013;
}
