// A histogram for each row, in an inner loop: the window of a row knows nothing of the row before.
//
// launch: -k rows -g 1 -a rand:96:161:0:7 -a 6 -a 16 -a zero:48
// expect 3: 7 25 23 26 15 0 15 9 12 18 19 27 20 11 16 5
// expect 3: 6 18 33 27 21 5 24 2 28 18 17 10 9 15 12 35
// expect 3: 9 27 39 4 4 10 24 35 9 20 14 21 29 31 16 20
// launch: -k rows -g 1 -a fill:3:1 -a 3 -a 1 -a zero:24
// expect 3: 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1
// expect 3: 2 2 2 2 2 2 2 2
// launch: -k rows -g 1 -a fill:3:1 -a 3 -a 0 -a zero:24
// expect 3: 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1
// expect 3: 2 2 2 2 2 2 2 2

__kernel void rows(__global const uchar *x, int rows, int columns, __global int *out)
{
    int bins[8];
    for (int r = 0; r < rows; r++) {
        for (int b = 0; b < 8; b++)
            bins[b] = r;
        for (int c = 0; c < columns; c++)
            bins[x[r * columns + c] & 7] += c;
        for (int b = 0; b < 8; b++)
            out[r * 8 + b] = bins[b];
    }
}
