// A FIR filter of 16 taps by one work-item, with a shift register.
//
// launch: -k fir -g 1 -a rand:48:3211:-100:100 -a values:1,-2,3,4,-5,6,7,-8,8,7,-6,5,4,-3,2,1 -a zero:48 -a 48
// expect 2: -36 118 -250 181 60 -404 547 209 -696 560 612 -619 8 1490 -755 -824 1836 -844 -904 1667 -827 -1393 1283
// expect 2: -219 -1799 950 848 -2242 386 1118 -1805 -200 891 -1126 -636 1057 -980 -720 1788 -472 -585 1898 -152 229
// expect 2: 799 -174 1190 -194

__kernel void fir(__global const int *x, __constant int *h, __global int *y, int n)
{
    int line[16];
    for (int k = 0; k < 16; k++)
        line[k] = 0;
    for (int i = 0; i < n; i++) {
        #pragma unroll
        for (int k = 15; k > 0; k--)
            line[k] = line[k - 1];
        line[0] = x[i];
        int sum = 0;
        #pragma unroll
        for (int k = 0; k < 16; k++)
            sum += line[k] * h[k];
        y[i] = sum;
    }
}
