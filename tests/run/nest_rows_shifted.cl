// What a row reads of the one before lies to the right, and to the left.
//
// launch: -k f -g 1 -a 7 -a zero:10
// expect 1: 32 50 18 61 22 0 43 6 41 772
// launch: -k f -g 1 -a 1 -a zero:10
// expect 1: 1 4 5 14 10 7 12 4 4 859

__kernel void f(int n, __global int *restrict out)
{
    int row[11];
    for (int j = 0; j < 11; j++)
        row[j] = j * j % 7;
    int all = 0;
    for (int i = 0; i < n; i++) {
        int left = i;
        for (int j = 0; j < 10; j++) {
            int old = row[j];
            row[j] = (row[j + 1] + left * 3) & 63;
            left = old;
            all = (all * 5 + old) & 1023;
        }
    }
    for (int j = 0; j < 9; j++)
        out[j] = row[j];
    out[9] = all;
}
