// 64-bit work: multiplication to 128 bits from 32-bit halves checked against
// mul_hi, modular power, integer square root and a 64-bit mix.
//
// launch: -k wide -g 8 -l 2 -a rand:8:31 -a rand:8:32 -a zero:32
// expect 2: 14239816585987553276 263581632 3939238432 2795526015942955761 8082863909630486016 1707458403 3688731967
// expect 2: 14849654808890412188 2651485899258316033 589198873 3051695245 12566224834122792367 7160093732361030148
// expect 2: 747547772 3157805038 2814603011081488182 6206233351324204940 2746081111 3317368573 478016535199772971
// expect 2: 5614026141686460889 227092635 2459402380 10686800072712894700 3862800541115573456 1703799936 2695047649
// expect 2: 2351663445204085780 4553254309434395968 147138554 3365958430 13836013956242572977

ulong mul_high(ulong a, ulong b)
{
    ulong al = a & 0xffffffffUL, ah = a >> 32, bl = b & 0xffffffffUL, bh = b >> 32;
    ulong ll = al * bl, lh = al * bh, hl = ah * bl;
    ulong mid = (ll >> 32) + (lh & 0xffffffffUL) + (hl & 0xffffffffUL);
    return ah * bh + (lh >> 32) + (hl >> 32) + (mid >> 32);
}

ulong power(ulong base, uint e, ulong m)
{
    ulong r = 1;
    base %= m;
    for (; e; e >>= 1) {
        if (e & 1)
            r = r * base % m;
        base = base * base % m;
    }
    return r;
}

__kernel void wide(__global const ulong *a, __global const ulong *b, __global ulong *out)
{
    size_t g = get_global_id(0);
    ulong x = a[g], y = b[g];
    ulong h = mul_high(x, y);
    out[4 * g] = h == mul_hi(x, y) ? h : 0;
    out[4 * g + 1] = power(x, (uint)y & 0xffff, 4294967291UL);
    ulong root = 0, bit = 1UL << 62, n = x;
    while (bit > n)
        bit >>= 2;
    while (bit) {
        if (n >= root + bit) {
            n -= root + bit;
            root = (root >> 1) + bit;
        } else
            root >>= 1;
        bit >>= 2;
    }
    out[4 * g + 2] = root;
    ulong z = x ^ y;
    z = (z ^ z >> 33) * 0xff51afd7ed558ccdUL;
    z = (z ^ z >> 33) * 0xc4ceb9fe1a85ec53UL;
    out[4 * g + 3] = z ^ z >> 33 ^ (ulong)mul_hi((long)x, (long)y);
}
