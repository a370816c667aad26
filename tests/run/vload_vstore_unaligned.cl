// vload and vstore of 2, 3, 4, 8 and 16 components at offsets that are not
// multiples of the vector size; neighbouring work-items interleave.
//
// launch: -k window -g 10 -l 5 -a iota:32 -a zero:41 -a zero:30
// expect 1: 0 43 3 4 11 55 6 6 12 67 9 8 13 79 12 10 14 91 15 12 15 103 18 14 16 115 21 16 17 127 24 18 18 139 27 20
// expect 1: 19 151 30 22 20
// expect 2: 1 2 3 2 3 4 3 4 5 4 5 6 5 6 7 6 7 8 7 8 9 8 9 10 9 10 11 10 11 12

__kernel void window(__global const float *in, __global float *out, __global short *packed)
{
    size_t i = get_global_id(0);
    float4 a = vload4(0, in + i);
    float3 b = vload3(i, in + 1);
    float2 c = vload2(i, in + 3);
    float8 d = vload8(1, in + i);
    float s = dot(a, (float4)(1, 2, 3, 4)) + d.s0 + d.s7;
    vstore4((float4)(s, b.z, c.y, d.s3), i, out + 1);
    short16 w = (short16)(i);
    w.s3 = (short)in[i];
    vstore3(w.s234 + (short3)(1, 2, 3), i, packed);
}
