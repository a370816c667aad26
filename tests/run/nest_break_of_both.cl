// A value that is found leaves both loops; the loops know where it was.
//
// launch: -k f -g 1 -a 3 -a 4 -a iota:12 -a 6 -a zero:3
// expect 4: 1 2 6
// launch: -k f -g 1 -a 3 -a 4 -a iota:12 -a 0 -a zero:3
// launch: -k f -g 1 -a 3 -a 4 -a iota:12 -a 11 -a zero:3
// expect 4: 2 3 11
// launch: -k f -g 1 -a 3 -a 4 -a iota:12 -a 12 -a zero:3
// expect 4: -1 -1 12

__kernel void f(int n, int m, __global const int *restrict in, int wanted, __global int *restrict out)
{
    int row = -1, column = -1, seen = 0;
    for (int i = 0; i < n && row < 0; i++)
        for (int j = 0; j < m; j++) {
            if (in[i * m + j] == wanted) {
                row = i;
                column = j;
                break;
            }
            seen++;
        }
    out[0] = row;
    out[1] = column;
    out[2] = seen;
}
