// Three loops one after another over one array, the second in the opposite direction, in an outer loop.
//
// launch: -k phases -g 1 -a rand:16:3125:0:99 -a 4
// expect 0: 192 118 130 70 103 55 52 55 80 132 48 110 48 136 86 164

__kernel void phases(__global int *a, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        for (int i = 1; i < 16; i++)
            a[i] = (a[i] + a[i - 1]) & 255;
        for (int i = 14; i >= 0; i--)
            a[i] ^= a[i + 1];
        for (int i = 0; i < 16; i += 2)
            a[i] += r;
    }
}
