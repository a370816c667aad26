// Classic word-parallel tricks: population count by halves, bit reversal,
// Morton interleave, isolate/clear lowest bit, next power of two, parity,
// Gray code and back, checked against the built-ins inside the kernel.
//
// launch: -k tricks -g 10 -a values:0,1,0x80000000,0xffffffff,0x12345678,0xdeadbeef,6,0x00010000,255,0x7fffffff -a zero:80
// expect 1: 0 0 0 0 0 32 0 0 1 2147483648 1 1 1 0 1 1 1 1 2147483648 2147483648 2147483648 31 3221225472 1 32
// expect 1: 4294967295 4294967295 1 0 0 2147483648 0 13 510274632 320610144 8 536870912 3 456031556 1 24 4152210811
// expect 1: 3892108535 1 0 0 2986041752 0 2 1610612736 20 2 8 1 5 0 1 32768 2 65536 65536 16 98304 1 8 4278190080
// expect 1: 21845 1 256 0 128 0 31 4294967294 2147483647 1 2147483648 0 1073741824 1

uint spread(uint x)
{
    x &= 0xffff;
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    x = (x | x << 1) & 0x55555555;
    return x;
}

__kernel void tricks(__global const uint *in, __global uint *out)
{
    uint g = get_global_id(0);
    uint x = in[g];
    __global uint *o = out + 8 * g;

    uint c = x - ((x >> 1) & 0x55555555);
    c = (c & 0x33333333) + ((c >> 2) & 0x33333333);
    c = (((c + (c >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24;
    o[0] = c == popcount(x) ? c : 1000 + c;

    uint r = 0;
    for (uint i = 0, y = x; i < 32; i++, y >>= 1)
        r = r << 1 | (y & 1);
    o[1] = r;
    o[2] = spread(x) | spread(x >> 16) << 1;
    o[3] = (x & -x) + (x & (x - 1)) == x ? x & -x : 77;

    uint p = x - 1;
    for (int s = 1; s < 32; s *= 2)
        p |= p >> s;
    o[4] = p + 1;
    o[5] = x == 0 ? 32 : 31 - clz(x & -x);

    uint gray = x ^ x >> 1, back = gray;
    back ^= back >> 16;
    back ^= back >> 8;
    back ^= back >> 4;
    back ^= back >> 2;
    back ^= back >> 1;
    o[6] = back == x ? gray : 0;
    o[7] = (0x6996 >> ((x ^ x >> 4 ^ x >> 8 ^ x >> 12 ^ x >> 16 ^ x >> 20 ^ x >> 24 ^ x >> 28) & 15)) & 1;
}
