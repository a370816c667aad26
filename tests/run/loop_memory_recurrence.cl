// Loops that carry a value through memory: Fibonacci modulo in a global row,
// an in-place prefix that reads what the last trip wrote, and a stride-two
// dependence.
//
// launch: -k recur -g 4 -l 2 -a rand:40:1111:0:9 -a 10
// expect 0: 22 22 22 22 92 74 138 741 549 549 8 8 8 42 34 14 280 308 308 127 4 30 26 26 190 164 164 331 495 495 24 24
// expect 0: 24 82 74 152 210 662 580 17

__kernel void recur(__global int *rows, int n)
{
    __global int *r = rows + get_global_id(0) * n;
    for (int i = 2; i < n; i++)
        r[i] = (r[i] + r[i - 1] + r[i - 2]) % 1009;
    for (int i = 0; i + 2 < n; i += 2)
        r[i + 2] += r[i];
    for (int i = n - 1; i > 0; i--) {
        int t = r[i - 1];
        if (t & 1)
            r[i - 1] = r[i];
        else
            r[i] ^= t;
    }
}
