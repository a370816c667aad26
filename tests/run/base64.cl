// Base64 encoding with padding, three bytes per work-item, through a constant
// string; and decoding by a chain of range tests.
//
// launch: -k encode -g 4 -l 2 -a values:83,108,117,105,99,101,33,10,255,0,128 -a 11 -a zero:16
// expect 2: 85 50 120 49 97 87 78 108 73 81 114 47 65 73 65 61
// launch: -k decode -g 4 -l 4 -a values:85,50,120,49,97,87,78,108,73,81,114,47,65,73,65,61 -a zero:12
// expect 1: 83 108 117 105 99 101 33 10 255 0 128 0

__constant char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

kernel void encode(global const uchar *in, int n, global uchar *out)
{
    int g = get_global_id(0), at = 3 * g;
    uint bits = 0;
    int have = 0;
    for (; have < 3 && at + have < n; have++)
        bits |= in[at + have] << (16 - 8 * have);
    for (int k = 0; k < 4; k++)
        out[4 * g + k] = k > have ? '=' : alphabet[(bits >> (18 - 6 * k)) & 63];
}

int value_of(uchar c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

kernel void decode(global const uchar4 *in, global uchar *out)
{
    int g = get_global_id(0);
    uchar4 c = in[g];
    uchar text[4] = { c.x, c.y, c.z, c.w };
    uint bits = 0;
    int good = 0;
    for (int k = 0; k < 4; k++) {
        int v = value_of(text[k]);
        if (v < 0)
            break;
        bits |= (uint)v << (18 - 6 * k);
        good++;
    }
    for (int k = 0; k < good - 1; k++)
        out[3 * g + k] = bits >> (16 - 8 * k);
}
