// uchar16 and short8 arithmetic with wraparound, unsigned averaging and
// saturation, as pixel code does it.
//
// launch: -k blend -g 4 -l 2 -a rand:4:41 -a rand:4:42 -a 100 -a zero:4 -a zero:4
// expect 3: 138 52 119 161 167 116 94 141 172 147 187 230 241 141 175 255 91 118 100 161 187 208 177 156 79 91 145
// expect 3: 103 115 144 183 172 127 169 76 154 98 75 150 186 72 128 113 118 123 233 156 218 113 198 97 91 72 101 141
// expect 3: 124 20 178 169 184 53 146 137 132
// expect 4: -3114 -133 3 3025 3026 6 -128 -3107 -813 3794 -4131 -320 -319 -4128 3799 -806 5643 146 227 576 577 230
// expect 4: 151 5650 -934 -1878 147 -7080 -7079 150 -1873 -927

__kernel void blend(__global const uchar16 *a, __global const uchar16 *b, uchar alpha, __global uchar16 *out, __global short8 *diff)
{
    int g = get_global_id(0);
    uchar16 p = a[g], q = b[g];
    ushort16 mixed = convert_ushort16(p) * (ushort)alpha + convert_ushort16(q) * (ushort)(255 - alpha);
    uchar16 scaled = convert_uchar16((mixed + (ushort)128) >> (ushort)8);
    uchar16 brighter = add_sat(scaled, (uchar16)(20));
    out[g] = max(brighter, rhadd(p, q)) - (p & (uchar)3);
    short8 d = (convert_short8(p.even) - convert_short8(q.odd)) / (short)2;
    diff[g] = d * d.s76543210 + (short8)(1, 2, 3, 4, 5, 6, 7, 8);
}
