// A round of a substitution-permutation cipher: S-box computed at run time by
// inversion in GF(256) into local memory, shift of rows, mix of columns.
//
// launch: -k sp_round -g 32 -l 16 -a rand:32:1071 -a rand:16:1072 -a zero:32
// expect 2: 214 176 100 184 17 81 96 221 161 183 97 24 249 183 217 210 239 61 147 154 122 146 204 39 180 81 168 188
// expect 2: 220 86 251 2

uchar times2(uchar a)
{
    return (uchar)(a << 1) ^ (a & 0x80 ? 0x1b : 0);
}

uchar gf_mul(uchar a, uchar b)
{
    uchar r = 0;
    while (b) {
        if (b & 1)
            r ^= a;
        a = times2(a);
        b >>= 1;
    }
    return r;
}

uchar sbox(uchar x)
{
    uchar inv = 0;
    if (x) {
        inv = 1;
        for (int k = 0; k < 254; k++)
            inv = gf_mul(inv, x);
    }
    return inv ^ rotate(inv, (uchar)1) ^ rotate(inv, (uchar)2) ^ rotate(inv, (uchar)3) ^ rotate(inv, (uchar)4) ^ 0x63;
}

__kernel void sp_round(__global const uchar *state, __constant uchar *key, __global uchar *out)
{
    __local uchar s[4][4];
    int l = get_local_id(0), r = l & 3, c = l >> 2;
    s[r][(c - r) & 3] = sbox(state[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar a = s[r][c], b = s[(r + 1) & 3][c];
    uchar m = times2(a) ^ times2(b) ^ b ^ s[(r + 2) & 3][c] ^ s[(r + 3) & 3][c];
    out[get_global_id(0)] = m ^ key[l];
}
