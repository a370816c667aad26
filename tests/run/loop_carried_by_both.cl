// Each element depends on its neighbours above, to the left and above to the left.
//
// launch: -k corner -g 1 -a rand:49:3204:0:9
// expect 0: 2 5 4 3 2 3 9 4 4 5 4 10 8 11 1 2 6 3 8 5 10 0 8 7 6 9 3 7 6 17 9 6 9 6 13 2 14 4 6 11 8 16 9 17 3 8 6
// expect 0: -2 11

__kernel void corner(__global int *m)
{
    for (int i = 1; i < 7; i++)
        for (int j = 1; j < 7; j++)
            m[i * 7 + j] += max(m[(i - 1) * 7 + j], m[i * 7 + j - 1]) - m[(i - 1) * 7 + j - 1];
}
