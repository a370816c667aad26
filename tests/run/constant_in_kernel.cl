// Constant and const arrays declared inside functions, a table of offsets
// walked by pointer, and string literals through a constant pointer.
//
// launch: -k spell -g 10 -l 5 -a values:1,9,42,100,110,365,999,20,13,7 -a zero:80
// expect 1: 79 110 101 53 0 0 0 0 108 111 84 53 0 0 0 0 70 101 119 116 87 111 50 0 79 110 101 110 117 76 110 49 79
// expect 1: 110 101 79 110 101 110 49 102 101 87 108 111 84 102 49 108 111 84 108 111 84 108 49 116 87 111 110 117 76
// expect 1: 50 0 79 110 101 102 101 87 50 0 76 111 116 53 0 0 0 0

__constant char *digit_name(int d)
{
    return d == 0 ? "nul" : d == 1 ? "one" : d == 2 ? "two" : d < 6 ? "few" : "lot";
}

__kernel void spell(__global const int *in, __global char *out)
{
    __constant int powers[4] = { 1000, 100, 10, 1 };
    const uchar shifts[3] = { 3, 1, 2 };
    int g = get_global_id(0), x = in[g];
    __global char *o = out + 8 * g, *end = o + 8;
    bool started = false;
    for (__constant int *p = powers; p < powers + 4; p++) {
        int d = x / *p % 10;
        if (!started && d == 0)
            continue;
        started = true;
        __constant char *s = digit_name(d);
        for (int k = 0; s[k] && o < end - 1; k++)
            *o++ = s[k] ^ (k == shifts[d % 3] - 1 ? 0x20 : 0);
    }
    *o = '0' + (end - o);
}
