// A nest over the diagonals of a matrix: the inner loop goes against the rows.
//
// launch: -k diagonals -g 1 -a rand:36:3205:0:9
// expect 0: 6 4 1 6 7 3 4 13 15 29 43 47 6 20 38 73 24 76 8 32 78 53 77 54 1 37 18 71 49 6 5 50 75 50 5 14

__kernel void diagonals(__global int *m)
{
    for (int d = 2; d <= 10; d++)
        for (int i = max(1, d - 5); i <= min(5, d - 1); i++) {
            int j = d - i;
            m[i * 6 + j] = (m[i * 6 + j] + m[(i - 1) * 6 + j] + m[i * 6 + j - 1]) % 100;
        }
}
