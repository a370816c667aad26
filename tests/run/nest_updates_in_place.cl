// Rows of a buffer depend on the row above and on what is to the left.
//
// launch: -k f -g 1 -a 5 -a rand:30:17:0:9
// expect 1: 9 3 6 1 6 8 4 14 20 29 35 49 7 23 50 83 119 171 6 36 93 182 306 486 1 42 142 329 644 138
// launch: -k f -g 1 -a 1 -a rand:6:17:0:9

__kernel void f(int n, __global int *restrict m)
{
    for (int i = 1; i < n; i++) {
        int left = m[i * 6];
        for (int j = 1; j < 6; j++) {
            left = (left + m[i * 6 + j] + m[(i - 1) * 6 + j]) % 1000;
            m[i * 6 + j] = left;
        }
    }
}
