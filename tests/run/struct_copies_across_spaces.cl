// Whole structs, with a nested struct, a union, an array and padding, copied from
// global to local to private memory and back, each changed by another work-item.
//
// launch: -k pass_on -g 8 -l 4 -a words:0xe7d80068,0xb9096a04,0xafae5a3b,0xc963cfe0,0xc439f34a,0xe1454c40,0xe794ee14,0x26b563b1,0x42840d2b,0xac8be7d7,0xa2beee31,0xd96e5adf,0xe7aa8576,0x19fcfc64,0xdf43efb2,0x53d23c0b,0x92ac3d42,0xe7ca430e,0x2b5c5cd1,0x06e82a01,0x69599354,0x6820212c,0xfe6c2b03,0x1333bc1c,0x1a6e72b9,0x20050ed3,0x51b31a6c,0x7972a36d,0xf335c357,0x94a67f00,0x730bed9c,0x6977a41b,0x356a4152,0x332726d0,0x51209e8f,0xa0187b4d,0xe89c5bc7,0xae6ac4a9,0x55e7d67e,0x542861cd -a words:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 -a zero:8
// expect 1: 32 3648084705 2491874404 649421745 23265 98 3885559316 2065829163 3947267446 60948 31 3104598536
// expect 1: 1864945632 3888792334 27144 11 2461154626 2772458705 3754842683 15682 141 1769645085 4057278160
// expect 1: 2037556077 42013 241 1370954348 2891694935 244990290 6764 35 1747132720 3895507996 2926232745 8496 77
// expect 1: 3902954439 3432371838 1112550147 23495
// expect 2: 2002 36808 83585 10617 -48066 -41648 8385 -16324

typedef struct {
    uchar tag;
    union {
        int whole;
        short parts[2];
    } value;
    struct {
        short x, y;
    } steps[2];
    ushort last;
} item;

void change(item *it, int by)
{
    it->tag ^= 0x11 * by;
    it->value.parts[by & 1] += by;
    it->steps[by & 1].y -= it->steps[1 - (by & 1)].x;
    it->last = it->value.parts[0];
}

__kernel void pass_on(__global const item *in, __global item *out, __global int *sums)
{
    __local item shared[4];
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    shared[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    item mine = shared[(l + 1) % n];
    change(&mine, l + 1);
    item twin = mine;
    change(&twin, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[(l + 2) % n] = twin;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const item *seen = &shared[n - 1 - l];
    out[g].tag = seen->tag;
    out[g].value = seen->value;
    out[g].steps[0] = seen->steps[1];
    out[g].steps[1] = mine.steps[0];
    out[g].last = seen->last;
    sums[g] = seen->value.parts[0] - mine.value.parts[1] + seen->steps[1].y;
}
