// What the inner loop begins with, and its length, come from memory.
//
// launch: -k f -g 1 -a 5 -a values:2,0,3,1,4 -a rand:5:3:0:99 -a rand:10:4:0:99 -a zero:5 -a zero:10
// expect 4: 239 61 73 96 4078
// expect 5: 81 239 40 38 73 96 184 486 1369 4078

__kernel void f(int n, __global const int *restrict length, __global const int *restrict start, __global const int *restrict in, __global int *restrict ends, __global int *restrict out)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        int value = start[i];
        for (int j = 0; j < length[i]; j++) {
            value = value * 3 - in[at];
            out[at++] = value;
        }
        ends[i] = value;
    }
}
