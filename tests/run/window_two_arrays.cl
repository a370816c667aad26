// Counts and sums in two arrays of private memory.
//
// launch: -k statistics -g 1 -a rand:90:101:0:7 -a rand:90:102:-99:99 -a 90 -a zero:8 -a zero:8
// expect 3: 12 16 13 9 7 11 5 17
// expect 4: 150 47 75 -178 -72 439 -81 117

__kernel void statistics(__global const uchar *x, __global const int *w, int n, __global int *count, __global int *sum)
{
    int counts[8], sums[8];
    for (int b = 0; b < 8; b++)
        counts[b] = sums[b] = 0;
    for (int i = 0; i < n; i++) {
        counts[x[i] & 7]++;
        sums[x[i] & 7] += w[i];
    }
    for (int b = 0; b < 8; b++) {
        count[b] = counts[b];
        sum[b] = sums[b];
    }
}
