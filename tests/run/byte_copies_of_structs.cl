// Structs in global and local memory as bytes and as words: copied by hand at odd
// places, compared, and read back as structs.
//
// launch: -k ship -g 6 -l 3 -a rand:6:61:0:1000 -a zero:96 -a zero:6
// expect 1: 0 86 238 238 208 113 0 0 0 1 0 0 181 0 0 2 0 28 238 238 69 123 0 0 0 2 0 0 231 0 0 0 0 100 238 238 242
// expect 1: 187 0 0 0 0 0 0 39 0 0 3 0 68 238 238 165 33 0 0 0 4 0 0 37 0 0 2 0 40 238 238 97 116 0 0 0 5 0 0 68 0 0
// expect 1: 1 0 87 238 238 211 38 0 0 0 3 0 0 190 0 0 2
// expect 2: 211863697260335304 248863255672407449 258320971226739487 218754547084993897 236749502277509537
// expect 2: 250143705682465664

typedef struct {
    ushort kind;
    uint size;
    ulong stamp;
} header;

__kernel void ship(__global const uint *in, __global uchar *wire, __global ulong *check)
{
    __local uchar packet[3 * 16 + 3];
    __local header headers[3];
    int l = get_local_id(0), g = get_global_id(0);
    __local uchar *at = packet + 1 + 16 * l;
    header h = { in[g] >> 3, in[g] * 77, (ulong)in[g] << 40 | g };
    __local uchar *mine = (__local uchar *)&headers[l];
    for (uint k = 0; k < sizeof(header); k++)
        mine[k] = 0xee;
    headers[l].kind = h.kind;
    headers[l].size = h.size;
    headers[l].stamp = h.stamp;
    for (uint k = 0; k < sizeof(header); k++)
        at[k] = mine[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const uchar *other = packet + 1 + 16 * ((l + 1) % 3);
    __global uchar *to = wire + 16 * g;
    for (int k = 0; k < 16; k++)
        to[k ^ 1] = other[k];
    __local const ushort *words = (__local const ushort *)&headers[2 - l];
    uint sum = 0;
    for (int k = 0; k < 8; k++)
        sum = sum * 3 + words[k];
    header back;
    for (int k = 0; k < 16; k++)
        ((uchar *)&back)[k] = other[k];
    check[g] = back.stamp + back.size + back.kind + ((ulong)sum << 32);
}
