// Two nests after each other, of which the second reads what the first has written.
//
// launch: -k f -g 1 -a 4 -a 5 -a rand:20:23:0:99 -a zero:20 -a zero:4
// expect 3: 66 17 27 74 22 56 72 41 98 15 109 124 18 91 93 63 100 15 35 120
// expect 4: 100 84 81 84

__kernel void f(int n, int m, __global const int *restrict in, __global int *restrict mid, __global int *restrict out)
{
    int carry = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            carry = (carry + in[i * m + j]) & 127;
            mid[i * m + j] = carry;
        }
    for (int i = 0; i < n; i++) {
        int most = carry;
        for (int j = 0; j < m; j++)
            most = (most ^ mid[i * m + j]) + j;
        carry = most & 255;
        out[i] = carry;
    }
}
