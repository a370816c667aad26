// Atomics on members of structs, reached by pointers to them, in global and in local
// memory; their neighbours are plain.
//
// launch: -k tally -g 24 -l 8 -a rand:24:5:0:99 -a words:0,0xffffffff,1,2,0,0xffffffff,3,4,0,0xffffffff,5,6 -a zero:3
// expect 1: 9 4294967197 2148827161 2 8 4294967232 536870914 4294901764 16 4294967201 2240483333 4
// expect 2: 600 802 502

typedef struct {
    uint count;
    int least;
    struct {
        uint set;
        short mark[2];
    } more;
} bin;

void note(__local bin *b, int value)
{
    volatile __local uint *set = &b->more.set;
    atomic_inc(&b->count);
    atomic_min(&b->least, -value);
    atomic_or(set, 1u << (value & 31));
}

__kernel void tally(__global const int *in, __global bin *bins, __global uint *groups)
{
    __local bin own[3];
    int l = get_local_id(0), g = get_global_id(0);
    if (l < 3) {
        own[l].count = l;
        own[l].least = 0;
        own[l].more.set = 0;
        own[l].more.mark[1] = -l;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    note(&own[in[g] % 3], in[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 3) {
        __global bin *b = bins + l;
        atomic_add(&b->count, own[l].count);
        atomic_min(&b->least, own[l].least);
        atomic_xor(&b->more.set, own[l].more.set);
        if (g / 8 == l)
            b->more.mark[l & 1] += own[l].more.mark[1];
        atomic_max(&groups[g / 8], own[l].count * 100 + l);
    }
}
