// A private struct seen as bytes: a hand-written copy, a checksum and a byte
// swap through char pointers.
//
// launch: -k bytes -g 6 -l 2 -a rand:6:1221 -a zero:6 -a zero:6
// expect 1: 146277054 336266201 289801230 276366117 394200346 152240613
// expect 2: 7716662995835726591 17039430255756837204 13947962073091385597 15723796790552167254 15830305407988248315
// expect 2: 687662820382410064

typedef struct {
    uint id;
    ushort port;
    uchar flags[2];
} header;

void copy(uchar *to, const uchar *from, int n)
{
    while (n-- > 0)
        *to++ = *from++;
}

__kernel void bytes(__global const uint *in, __global uint *sums, __global ulong *swapped)
{
    int g = get_global_id(0);
    header h, c;
    h.id = in[g];
    h.port = in[g] >> 7;
    h.flags[0] = g;
    h.flags[1] = 255 - g;
    copy((uchar *)&c, (const uchar *)&h, sizeof(header));
    c.flags[g & 1] ^= 0xaa;
    const uchar *b = (const uchar *)&c;
    uint s1 = 1, s2 = 0;
    for (uint i = 0; i < sizeof(header); i++) {
        s1 = (s1 + b[i]) % 65521;
        s2 = (s2 + s1) % 65521;
    }
    sums[g] = s2 << 16 | s1;
    ulong w = 0;
    uchar *o = (uchar *)&w;
    for (int i = 0; i < 8; i++)
        o[7 - i] = b[i];
    swapped[g] = w;
}
