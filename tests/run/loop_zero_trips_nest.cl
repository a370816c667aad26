// Nests in which no level, the inner one, or the middle one sometimes has no iteration.
//
// launch: -k nest -g 1 -a values:0,3,0,2,1 -a 5 -a zero:8
// expect 2: 0 3 3 5 6 0 3 6
// launch: -k nest -g 1 -a values:0,0,0 -a 3 -a zero:8
// launch: -k nest -g 1 -a values:4 -a 0 -a fill:8:9
// expect 2: 9 9 9 9 9 9 0 0

__kernel void nest(__global const int *count, int n, __global int *out)
{
    int inner = 0, middle = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < count[i]; j++) {
            middle++;
            for (int k = j; k < count[(i + 1) % n]; k++)
                inner += i + k;
        }
        out[i & 7] += middle;
    }
    out[6] = inner;
    out[7] = middle;
}
