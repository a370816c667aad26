// One work-item does everything with loops, as a task: prefix sums, then a
// reversal in place.
//
// launch: -k task -g 1 -l 1 -a rand:20:301:-10:10 -a 20 -a zero:1
// expect 0: 11 13 3 12 7 16 21 23 18 20 12 5 -1 -3 3 7 14 5 7 3
// expect 2: 514550788
// launch: -k task -g 1 -a values:5 -a 1 -a zero:1
// expect 2: 1222

__kernel void task(__global int *v, int n, __global long *checksum)
{
    for (int i = 1; i < n; i++)
        v[i] += v[i - 1];
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = v[i];
        v[i] = v[j];
        v[j] = t;
    }
    long h = 7;
    for (int i = 0; i < n; i++)
        h = h * 31 % 1000000007L + v[i] + 1000;
    *checksum = h;
}
