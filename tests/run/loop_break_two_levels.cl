// A search that leaves two loops at once, finds nothing, or finds the first element.
//
// launch: -k find -g 1 -a rand:36:3120:0:9 -a 6 -a 7 -a zero:3
// expect 3: 0 0 1
// launch: -k find -g 1 -a rand:36:3120:0:9 -a 6 -a 77 -a zero:3
// expect 3: -1 -1 36
// launch: -k find -g 1 -a fill:36:4 -a 6 -a 4 -a zero:3
// expect 3: 0 0 1

__kernel void find(__global const int *m, int n, int wanted, __global int *out)
{
    int row = -1, column = -1, seen = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            seen++;
            if (m[i * n + j] == wanted) {
                row = i;
                column = j;
                goto found;
            }
        }
    }
found:
    out[0] = row;
    out[1] = column;
    out[2] = seen;
}
