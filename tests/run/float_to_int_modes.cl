// Conversions from float and double to integers in each rounding mode and
// with saturation, including NaN and values far out of range.
//
// launch: -k toint -g 12 -l 4 -a values:0.5,-0.5,1.5,-1.5,2.5,2147483520,-2147483648,3e9,-3e9,nan,127.5,-128.75 -a zero:96 -a zero:24
// expect 1: 0 0 1 0 0 0 0 1 0 0 0 -1 0 0 -1 0 1 2 2 1 1 2 1001 2 -1 -2 -1 -2 -1 0 -2 -1 2 2 3 2 2 2 2002 3 2147000064
// expect 1: 2147000064 2147000064 2147000064 2147483520 2147483520 255127 32767 -2147000064 -2147000064 -2147000064
// expect 1: -2147000064 -2147483648 0 -128 -32768 2147000064 2147000064 2147000064 2147000064 2147483647 -1294967296
// expect 1: 255127 32767 -2147000064 -2147000064 -2147000064 -2147000064 -2147483648 0 -128 -32768 0 0 0 0 0 0 0 0
// expect 1: 127 128 128 127 127 128 127127 128 -128 -129 -128 -129 -128 0 -128 -128
// expect 2: 2048 2048 18446744073709549568 0 6144 6144 18446744073709545472 0 10240 10240 8796092497920 8796092497920
// expect 2: 18446735277616529408 0 12288000000000 12288000000000 18446731785709551616 0 0 0 522240 522240
// expect 2: 18446744073709024256 0

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void toint(__global const float *in, __global int *out, __global ulong *wide)
{
    int i = get_global_id(0);
    float x = in[i];
    float y = clamp(isnan(x) ? 0.0f : x, -2.147e9f, 2.147e9f);
    __global int *o = out + 8 * i;
    o[0] = (int)y;
    o[1] = convert_int_rte(y);
    o[2] = convert_int_rtp(y);
    o[3] = convert_int_rtn(y);
    o[4] = convert_int_sat(x);
    o[5] = as_int(convert_uint_sat_rte(x));
    o[6] = convert_uchar_sat(x) * 1000 + convert_char_sat_rtn(x);
    o[7] = convert_short_sat_rtp(x);
    double d = x * 4096.0;
    wide[2 * i] = as_ulong(convert_long_sat(d));
    wide[2 * i + 1] = convert_ulong_sat_rte(d + 0.5);
}
