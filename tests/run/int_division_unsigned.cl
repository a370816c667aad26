// Division and remainder of every unsigned width, by variables and by
// constants (powers of two and not), large values included.
//
// launch: -k divide -g 8 -l 4 -a values:0,1,255,128,200,77,13,254 -a values:1,2,3,7,255,128,10,9 -a zero:24 -a zero:24 -a zero:24 -a zero:24
// expect 2: 0 0 0 0 1 1 85 0 40 18 2 12 0 200 28 0 77 20 1 3 14 28 2 39
// expect 3: 0 0 0 128 1 63 21845 0 6560 4699 3 3213 201 145 5187 154 77 1901 334 1 343 7253 1 6594
// expect 4: 65551 224 2617348 32646 127154 2236420 0 0 0 4663 391182 1118210 55 7433470 2572288 357 4007986 2166786
// expect 4: 6220 601978 290820 28 331717 380928
// expect 5: 281539415903520 50400 18446744 70108834940744 243169 18374486 7283 262308 341 2861585100291 416541
// expect 5: 9187243 933859097 844184895 3978647 11994967839 503418189 12876649 2671864260764 5701405 17506376
// expect 5: 13630570445 3083505 72299

__kernel void divide(__global const uchar *a, __global const uchar *b, __global uchar *c, __global ushort *s, __global uint *i, __global ulong *l)
{
    int id = get_global_id(0), o = 3 * id;
    uchar n8 = a[id], d8 = b[id];
    c[o] = n8 / d8;
    c[o + 1] = n8 % d8;
    c[o + 2] = n8 / 10 + n8 % 16;
    ushort n16 = n8 * 257, d16 = d8;
    s[o] = n16 / d16;
    s[o + 1] = n16 % d16;
    s[o + 2] = n16 / 1000 * 100 + n16 % 97;
    uint n32 = ~(n16 * 65537u), d32 = d8 * 65521u;
    i[o] = n32 / d32;
    i[o + 1] = n32 % d32;
    i[o + 2] = n32 / 1000000007u + n32 % 641u * 4096u;
    ulong n64 = ((ulong)n32 << 32) | ~n32, d64 = (ulong)d32 * d8;
    l[o] = n64 / d64;
    l[o + 1] = n64 % d64;
    l[o + 2] = n64 / 1000000000000UL ^ (n64 & 1023) / 3;
}
