// An array of structs with padding holes, a char, a short, a vector and a
// nested struct; fields are updated in place and the holes stay as they were.
//
// launch: -k advance -g 3 -l 3 -a words:0xaabbcc01,0x11112222,0x33334444,0x55556666,1,2,3,0x99999999,0x0000ffff,5,6,7,0xaabbcc82,0x11112222,0x33334444,0x55556666,0xfffffff0,20,30,0x99999999,0x7fff8000,8,9,10,0xaabbcc7f,1,2,3,100,200,300,0x99999999,0x12345678,11,12,13 -a zero:3
// expect 0: 2864434177 286335522 858997828 1431660134 3 3 1 2576980377 0 5 6 7 2864434370 286335522 858997828
// expect 0: 1431660134 30 4294967254 4294967280 2576980377 4294868993 8 9 10 2864434240 1 2 3 300 264 100 2576980377
// expect 0: 3149616761 11 12 13
// expect 1: 82 130 178

struct inner {
    short low;
    ushort high;
};

struct item {
    char tag;
    int4 pos;
    struct inner in;
};

__kernel void advance(__global struct item *items, __global int *sizes)
{
    int i = get_global_id(0);
    __global struct item *it = &items[i];
    it->tag = it->tag / 2 + 1;
    it->pos.y += it->tag;
    it->pos.zx = it->pos.xz;
    struct inner n = it->in;
    n.low++;
    n.high -= n.low;
    it->in = n;
    sizes[i] = sizeof(struct item) + (int)((__global char *)&it->in.high - (__global char *)items);
}
