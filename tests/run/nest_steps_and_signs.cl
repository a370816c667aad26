// Counters that go down, in steps, and in eight bits.
//
// launch: -k f -g 1 -a 10 -a rand:16:2:0:99 -a zero:24
// expect 2: 56 418 3001 542 3833 2274 3656 1091 3556 355 2504 1195 248 1751 8 75 576 4053 3810 2133 2662 2301 3840 2401

__kernel void f(int n, __global const int *restrict in, __global int *restrict out)
{
    int at = 0, carried = 1;
    for (int i = n; i > 0; i -= 3)
        for (uchar j = 250; j >= 235; j -= 3) {
            carried = (carried * 7 + in[(i + j) & 15]) & 4095;
            out[at++] = carried;
        }
}
