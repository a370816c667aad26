// Multi-word integers: addition with carry chains, schoolbook product and
// remainder by a word, one pair of numbers per work-item.
//
// launch: -k big -g 4 -l 2 -a values:0xffffffff,0xffffffff,0xffffffff,0xffffffff,1,0,0,0x80000000,0x89abcdef,0x01234567,0xdeadbeef,0xcafebabe,5,0,0,0 -a values:1,0,0,0,0xffffffff,0xffffffff,0xffffffff,0x7fffffff,0x11111111,0x22222222,0x33333333,0x44444444,7,0,0,0 -a zero:20 -a zero:32 -a zero:4
// expect 2: 0 0 0 0 1 0 0 0 0 1 2596069120 591751049 299954722 256048899 1 12 0 0 0 0
// expect 3: 4294967295 4294967295 4294967295 4294967295 0 0 0 0 4294967295 4294967295 4294967295 4294967295
// expect 3: 4294967295 4294967295 4294967295 1073741823 418679775 417407192 4176981431 1372954947 997542991 101644628
// expect 3: 196539204 908184422 35 0 0 0 0 0 0 0
// expect 4: 279632276 698211319 79238126 35

#define W 4
__kernel void big(__global const uint *a, __global const uint *b, __global uint *sum, __global uint *product, __global uint *rem)
{
    int g = get_global_id(0);
    a += g * W;
    b += g * W;
    uint carry = 0;
    for (int i = 0; i < W; i++) {
        uint s = a[i] + b[i];
        uint c = s < a[i];
        sum[g * 5 + i] = s + carry;
        carry = c | (s + carry < s);
    }
    sum[g * 5 + W] = carry;
    uint p[2 * W] = { 0 };
    for (int i = 0; i < W; i++) {
        ulong c = 0;
        for (int j = 0; j < W; j++) {
            c += (ulong)a[i] * b[j] + p[i + j];
            p[i + j] = (uint)c;
            c >>= 32;
        }
        p[i + W] = c;
    }
    ulong r = 0;
    for (int i = 2 * W - 1; i >= 0; i--) {
        product[g * 2 * W + i] = p[i];
        r = (r << 32 | p[i]) % 1000000007u;
    }
    rem[g] = r;
}
