// CRC-32 of several messages: bit by bit, by a nibble table in constant
// memory, and by a table the group builds in local memory; all must agree.
//
// launch: -k crc -g 6 -l 2 -a values:49,50,51,52,53,54,55,56,57,0,255,255,255,255,97,98,99 -a values:0,9,10,14,17,17,3 -a zero:6
// expect 2: 3421780262 3523407757 4294967295 891568578 0 0

__constant uint nibble[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c
};

uint one_byte(uint c)
{
    for (int k = 0; k < 8; k++)
        c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    return c;
}

__kernel void crc(__global const uchar *text, __global const int *starts, __global uint *out)
{
    __local uint table[256];
    for (uint k = get_local_id(0); k < 256; k += get_local_size(0))
        table[k] = one_byte(k);
    barrier(CLK_LOCAL_MEM_FENCE);
    int m = get_global_id(0);
    uint a = ~0u, b = ~0u, c = ~0u;
    for (int i = starts[m]; i < starts[m + 1]; i++) {
        uchar x = text[i];
        a = table[(a ^ x) & 255] ^ (a >> 8);
        b = one_byte((b ^ x) & 255) ^ (b >> 8);
        c ^= x;
        c = nibble[c & 15] ^ (c >> 4);
        c = nibble[c & 15] ^ (c >> 4);
    }
    out[m] = a == b && b == c ? ~a : 0xbadbad;
}
