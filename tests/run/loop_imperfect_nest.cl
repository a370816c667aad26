// Work before, between and after inner loops, which share values with the outer one.
//
// launch: -k nest -g 1 -a rand:40:3123:0:99 -a zero:24
// expect 1: 228 423 423 713 2750 703 1000 1969 947 1150 8948 759 1052 2078 26 209 621 616 845 3212 138 441 1586 565

__kernel void nest(__global const int *x, __global int *y)
{
    int carry = 1;
    for (int i = 0; i < 8; i++) {
        int s = carry;
        for (int j = 0; j < 5; j++)
            s += x[i * 5 + j];
        y[3 * i] = s;
        int p = 1 + (s & 3);
        for (int j = 0; j < p; j++)
            s = s * 2 - x[i * 5 + j];
        y[3 * i + 1] = s;
        carry = (s ^ i) & 1023;
        y[3 * i + 2] = carry;
    }
}
