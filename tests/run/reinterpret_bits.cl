// as_type games: exponent surgery, ordering floats as integers, halves of a
// double, a float4 seen as 16 bytes, the fast inverse square root.
//
// launch: -k bits -g 8 -l 4 -a values:1,-1,0.1,1e-40,-65504,3.4e38,2.7182817,0.0078125 -a zero:40 -a zero:8
// expect 1: 3212836864 0 1072693248 2160017471 0 1082130431 0 3220176896 2151661759 0 3184315597 2684354560
// expect 1: 1069128089 3434954301 1058642330 2147555010 0 933325856 25165824 1007378688 947920895 0 3236953088
// expect 1: 2135410631 1065336832 4286564766 3221225472 1206909235 2147450751 1065325372 3224238164 2147483648
// expect 1: 1074118410 767574080 1052238160 3154116608 0 1065353216 12336188 0
// expect 2: 0.99999565 0.99999565 3.1622655 29087886000000000000 0.0039071874 0.000000000000000000054232384 0.6065283
// expect 2: 11.313706

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
float inverse_root(float x)
{
    float y = as_float(0x5f3759df - (as_int(x) >> 1));
    y = y * (1.5f - 0.5f * x * y * y);
    return y * (1.5f - 0.5f * x * y * y);
}

__kernel void bits(__global const float *in, __global uint *out, __global float *root)
{
    int i = get_global_id(0);
    float x = in[i];
    uint u = as_uint(x);
    uint key = u & 0x80000000u ? ~u : u | 0x80000000u;
    uint2 d = as_uint2((double)x);
    uchar16 b = as_uchar16((float4)(x, x * 2.0f, -x, 0.0f));
    out[5 * i] = key;
    out[5 * i + 1] = d.x;
    out[5 * i + 2] = d.y;
    out[5 * i + 3] = b.s3 | b.s7 << 8 | b.sB << 16 | (uint)b.s2 << 24;
    out[5 * i + 4] = as_uint(as_float((u & 0x007fffffu) | 0x3f800000u) - 1.0f);
    root[i] = inverse_root(fabs(x));
}
