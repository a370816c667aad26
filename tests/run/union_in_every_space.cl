// Unions in a constant table, behind a constant argument, in local memory and in
// private arrays; what one member is given is read through another.
//
// launch: -k blend_views -g 9 -l 3 -a words:0x40490fdb,0xbf800000,0x7f800001,0x00c0ffee,0x80000000 -a zero:9 -a zero:9 -a zero:9
// expect 1: 3683070985 720874 2159280366 472073 655364 259854318 2156344328 2131361796 4009033710
// expect 2: -3966 13886 1864 579 13885 1800 515 13822 2247
// expect 3: 3215421569 2139206665 3020439625 12631880 1330138067 1258815681 3212837057 4290868454 1946792027

typedef union {
    uint word;
    float real;
    ushort pairs[2];
    uchar bytes[4];
    struct {
        uchar low;
        short middle __attribute__((packed));
        uchar high;
    } fields;
} view;

__constant view table[3] = { { 0x01020304 }, { .pairs = { 0xbeef, 0x1234 } }, { .bytes = { 9, 8, 7, 6 } } };

__kernel void blend_views(__constant view *given, __global view *out, __global int *middles, __global uint *kept)
{
    __local view shared[3];
    int l = get_local_id(0), g = get_global_id(0);
    view mine[3];
    for (int k = 0; k < 3; k++) {
        mine[k].word = given[(g + k) % 5].word;
        mine[k].bytes[k] = table[k].bytes[3 - k];
    }
    shared[l].pairs[0] = mine[l].pairs[1];
    shared[l].pairs[1] = mine[(l + 1) % 3].pairs[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local view *next = &shared[(l + 1) % 3];
    middles[g] = next->fields.middle + table[g % 3].fields.middle;
    kept[g] = next->word ^ mine[g % 3].word;
    view result = mine[(g + 1) % 3];
    result.fields.high = given[g % 5].bytes[g & 3];
    result.word ^= table[(g + 2) % 3].word & 0xff00ff;
    out[g] = result;
}
