// Explicit conversions between integer widths: wrapping, and _sat from wider
// and from differently signed types.
//
// launch: -k narrow -g 12 -l 4 -a values:0,-1,127,128,255,256,-128,-129,32768,-40000,4294967296,-9223372036854775808 -a zero:96
// expect 1: 0 0 0 0 0 0 0 2147418112 -1 -1 0 -100000 -1 0 65535 2147418110 127 127 127 12700127 127 127 0 2147422109
// expect 1: -128 127 128 12800128 128 128 0 2147422112 -1 127 255 25500255 255 255 0 2147426365 0 127 255 25600256
// expect 1: 256 256 0 2147426623 -128 -128 0 -12800000 -128 0 65408 2147417824 127 -128 0 -12900000 -129 0 65407
// expect 1: 2147418078 0 127 255 3276732768 32768 32768 0 2147495935 -64 -128 0 -3276800000 -40000 0 25536 2147402992
// expect 1: 0 127 255 3276765535 2147483647 4294967295 4294967296 2147581693 0 -128 0 -3276800000 -2147483648 0 0
// expect 1: 2147418112

__kernel void narrow(__global const long *in, __global long *out)
{
    int g = get_global_id(0);
    long x = in[g];
    __global long *o = out + 8 * g;
    o[0] = convert_char(x);
    o[1] = convert_char_sat(x);
    o[2] = convert_uchar_sat(x);
    o[3] = convert_short_sat(x) * 100000L + convert_ushort_sat(x);
    o[4] = convert_int_sat(x);
    o[5] = convert_uint_sat(x);
    o[6] = as_long(convert_ulong_sat(x)) ^ convert_ushort(x);
    int4 v = (int4)((int)x, (int)(x >> 3), -(int)(x & 1023), 70000);
    uchar4 n = convert_uchar4_sat(v);
    short4 h = convert_short4_sat(v);
    char4 w = convert_char4(v);
    o[7] = n.x + 256 * n.y + 65536L * (n.z + h.w) + h.y * 3 + w.x - w.y + w.z;
}
