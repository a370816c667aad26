// A union seen as float, int, bytes and shorts, private and in global memory;
// stores through one member are read through another.
//
// launch: -k views -g 6 -l 3 -a words:0x3f800000,0xc0490fdb,0x00000001,0x7f7fffff,0x12345678,0xdeadbeef -a zero:6 -a zero:6
// expect 0: 3212836864 1078530011 2147483649 4286578687 2452903544 1588444911
// expect 1: 32832 3675277760 16777217 32639 2018915347 4022316510
// expect 2: 0 1 -127 127 -91 62

typedef union {
    float f;
    int i;
    uchar b[4];
    ushort h[2];
} word;

__kernel void views(__global word *w, __global uint *out, __global int *exponent)
{
    int g = get_global_id(0);
    word x = w[g], y;
    for (int k = 0; k < 4; k++)
        y.b[k] = x.b[3 - k];
    y.h[g & 1] += 1;
    out[g] = y.i;
    exponent[g] = ((x.i >> 23) & 255) - 127;
    x.b[3] ^= 0x80;
    w[g].f = x.f;
}
