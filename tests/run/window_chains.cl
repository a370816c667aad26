// Lists in private memory: built with the last element of each, then followed; then each element is made to point
// to the end of its list.
//
// launch: -k chains -g 1 -a rand:60:151:0:7 -a 60 -a zero:8 -a zero:64
// expect 2: 1040 511 412 1607 445 230 899 709
// expect 3: 0 1 2 3 1 3 6 0 8 6 6 2 0 2 1 2
// expect 3: 16 6 18 1 18 3 18 16 18 16 18 6 1 16 16 1
// expect 3: 1 16 6 8 0 2 16 2 3 18 0 0 8 18 18 8
// expect 3: 1 6 1 2 3 0 1 8 16 16 16 8 0 0 0 0

__kernel void chains(__global const uchar *x, int n, __global int *out, __global int *ends)
{
    short head[8], next[64];
    for (int k = 0; k < 8; k++)
        head[k] = -1;
    for (int i = 0; i < n; i++) {
        next[i & 63] = head[x[i] & 7];
        head[x[i] & 7] = i;
    }
    for (int k = 0; k < 8; k++) {
        int sum = 0, place = 1;
        for (int i = head[k]; i >= 0; i = next[i & 63])
            sum += i * place++;
        out[k] = sum;
    }
    for (int i = 0; i < n; i++) {
        short after = next[i & 63];
        // What it points to has been changed before.
        next[i & 63] = after < 0 ? i : next[after & 63];
        ends[i] = next[i & 63];
    }
}
