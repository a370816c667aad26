// A vector sum by one work-item: with distinct buffers, and with an operand that is the result moved by one.
//
// launch: -k add -g 1 -a rand:32:3228:-99:99 -a rand:32:3229:-99:99 -a zero:32 -a 32
// expect 2: -146 -32 -35 192 2 -10 50 18 -10 -30 18 10 -53 -67 -81 46 102 61 -51 -14 -141 23 21 -8 51 105 -100 0 93
// expect 2: -96 -106 86
// launch: -k add_restrict -g 1 -a rand:32:3228:-99:99 -a rand:32:3229:-99:99 -a zero:32 -a 32
// expect 2: -146 -32 -35 192 2 -10 50 18 -10 -30 18 10 -53 -67 -81 46 102 61 -51 -14 -141 23 21 -8 51 105 -100 0 93
// expect 2: -96 -106 86
// launch: -k add_moved -g 1 -a rand:33:3230:-99:99 -a rand:32:3231:-99:99 -a same:0 -a 32
// expect 0: -31 -57 30 34 84 160 247 297 259 196 221 234 182 275 219 163 156 67 70 125 98 122 163 64 -3 35 104 72
// expect 0: -1 58 -13 17 15

__kernel void add(__global const int *a, __global const int *b, __global int *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

__kernel void add_restrict(__global const int *restrict a, __global const int *restrict b, __global int *restrict c,
                           int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

__kernel void add_moved(__global const int *a, __global const int *b, __global int *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i + 1] = a[i] + b[i];
}
