// Broadcasting scalars, vector literals from mixed parts, vectors of 16,
// conversion chains between element types, integer and float.
//
// launch: -k mix_types -g 4 -l 2 -a rand:4:81:0:50 -a 3 -a 0.5 -a zero:4 -a zero:4
// expect 3: 33.5 -81.5 63.5 -93.5 187 -127 163 -67 6 -18 13 -21 0.5 -3 33.5 -81.5 147.5 -99.5 39.5 -90.5 181 -79 199
// expect 3: -295 34 -22 7 -20 0.5 -3 147.5 -99.5 138.5 -102.5 0.5 -24.5 49 -1 205 -277 32 -23 -2 -4 0.5 -3 138.5
// expect 3: -102.5 63.5 -0.5 138.5 -111.5 223 -277 1 -127 13 2 32 -25 0.5 -3 63.5 -0.5
// expect 4: 95 108 58 62 3 6 4 5 399 132 37 60 15 7 3 5 375 136 2 16 14 7 73 1 175 0 125 74 6 84 10 6

__kernel void mix_types(__global const uchar4 *px, int gain, float bias, __global float16 *wide, __global ushort8 *narrow)
{
    int g = get_global_id(0);
    uchar4 p = px[g];
    float4 f = convert_float4(p) * gain + bias;
    int4 n = convert_int4_rtn(f * 0.25f) - 2;
    float16 w = (float16)(f, f.wzyx * 2.0f, convert_float4(n), bias, (float)gain, f.xy);
    w.odd = -w.odd;
    wide[g] = w;
    ushort8 h = (ushort8)(convert_ushort4(p) << (ushort)2, convert_ushort4(n & 255));
    h.s0246 += (ushort)gain;
    h = (ushort)2 * h + (ushort)1;
    narrow[g] = h / (ushort8)(1, 2, 3, 4, 5, 6, 7, 8);
}
