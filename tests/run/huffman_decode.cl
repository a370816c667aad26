// Bit streams decoded by walking a code tree in constant memory; one stream
// per work-item, lengths differ.
//
// launch: -k decode -g 4 -l 4 -a values:0x2d,0x6a,0xff,0x0f,0x12,0x80,0,0xc3,0x5a -a values:0,3,5,8,9 -a fill:64:255 -a zero:4
// expect 2: 101 101 97 97 101 111 97 101 46 255 255 255 255 255 255 255 101 101 101 101 46 255 255 255 255 255 255
// expect 2: 255 255 255 255 255 116 101 101 101 101 101 101 101 101 101 101 101 101 101 111 101 101 97 97 101 255 255
// expect 2: 255 255 255 255 255 255 255 255 255 255
// expect 3: 9 5 16 4

typedef struct {
    uchar zero, one;
} fork;

#define LEAF 128
__constant fork tree[5] = { { LEAF | 'e', 1 }, { 2, 3 }, { LEAF | 't', LEAF | 'a' }, { LEAF | 'o', 4 }, { LEAF | 'n', LEAF | '.' } };

__kernel void decode(__global const uchar *bits, __global const int *start, __global uchar *out, __global int *length)
{
    int g = get_global_id(0);
    int n = 0, at = 0;
    for (int i = start[g]; i < start[g + 1]; i++)
        for (uchar mask = 0x80; mask; mask >>= 1) {
            uchar next = bits[i] & mask ? tree[at].one : tree[at].zero;
            if (!(next & LEAF)) {
                at = next;
                continue;
            }
            at = 0;
            if (n == 16)
                goto full;
            out[16 * g + n++] = next & ~LEAF;
            if ((next & ~LEAF) == '.')
                goto full;
        }
full:
    length[g] = n;
}
