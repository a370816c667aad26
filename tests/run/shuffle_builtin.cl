// shuffle and shuffle2 with masks from memory; only the low bits of each mask
// component count.
//
// launch: -k permute -g 4 -l 2 -a rand:4:91:0:99 -a rand:4:92 -a zero:4 -a zero:4 -a zero:4
// expect 2: 68 89 68 98 48 17 17 99 45 68 89 46 46 29 11 89 42 68 95 46 95 26 95 42 26 26 42 48 26 48 98 95
// expect 3: 298 117 111 245 146 247 141 141
// expect 4: 225 49 0 144 16 16 64 36 225 4 4 49 64 81 4 25 4 0 144 25 49 144 9 100 0 25 100 0 169 196 36 169 36 9 25
// expect 4: 9 121 100 121 36 225 25 144 1 1 169 81 196 64 64 9 9 64 196 9 81 4 25 196 64 169 16 169 64

__kernel void permute(__global const int4 *v, __global const uint8 *masks, __global int8 *out, __global int2 *pair, __global uchar16 *bytes)
{
    int g = get_global_id(0);
    int4 a = v[g], b = v[(g + 1) & 3];
    uint8 m = masks[g];
    out[g] = shuffle2(a, b, m);
    pair[g] = shuffle(a, m.s35) + shuffle((int2)(100, 200), m.s01);
    uchar16 table = (uchar16)(0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225);
    uchar16 pick = as_uchar16(m.lo);
    bytes[g] = shuffle(table, pick);
}
