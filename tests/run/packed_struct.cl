// Packed and over-aligned structs in global memory: fields at odd offsets are
// read and written, neighbours stay intact.
//
// launch: -k unpack -g 3 -l 3 -a words:0x03020101,0x07060504,0x0b0a0908,0x0f0e0d0c,0x13121110,0x17161514,0x1b1a1918,0x1f1e1d1c,0x23222120 -a zero:2 -a zero:3
// expect 0: 4244504065 17171963 185207048 4042387980 319951343 387323148 3840271896 522067427 589436960
// expect 1: 2 0 0 0 4206624 0 0 0 13 0 0 0 16838880 0 0 0
// expect 2: 70519526 272638718 474757910

typedef struct __attribute__((packed)) {
    uchar kind;
    uint value;
    ushort tail;
    uchar pad[5];
} packed_item;

typedef struct {
    uchar c;
    uint v __attribute__((aligned(16)));
} aligned_item;

__kernel void unpack(__global packed_item *items, __global aligned_item *wide, __global uint *out)
{
    int i = get_global_id(0);
    __global packed_item *p = items + i;
    uint v = p->value;
    out[i] = v + p->tail + sizeof(packed_item) * 1000 + sizeof(aligned_item) * 100000;
    p->value = v ^ 0xffffffff;
    p->pad[i] = p->kind;
    if (i < 2) {
        wide[i].c = p->kind + 1;
        wide[i].v = v >> 4;
    }
}
