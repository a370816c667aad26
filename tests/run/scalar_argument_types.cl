// One scalar argument of every type, signs and extremes included, each used in
// arithmetic that shows its width and signedness.
//
// launch: -k every -g 4 -l 2 -a -100 -a 200 -a -30000 -a 60000 -a -2000000000 -a 4000000000 -a -9000000000000000000 -a 18000000000000000000 -a 1.5 -a -2.25 -a zero:44
// expect 10: -33 66 -30000 60000 -6000000000 12000000000 -1285714285714285714 2571428571428571428 1536 -9 63 -32 67
// expect 10: -15000 30000 -3000000000 6000000000 -1125000000000000000 2250000000000000000 1536 -9 63 -31 68 -7500
// expect 10: 15000 -2000000000 4000000000 -1000000000000000000 2000000000000000000 1536 -9 63 -30 69 -3750 7500
// expect 10: -1500000000 3000000000 -900000000000000000 1800000000000000000 1536 -9 63
// launch: -k every -g 4 -l 4 -a 0x7f -a 0xff -a 0x7fff -a 0xffff -a 0x7fffffff -a 0xffffffff -a 0x7fffffffffffffff -a 0xffffffffffffffff -a 1e-3 -a 1e300 -a zero:44
// expect 10: 42 85 32767 65535 6442450941 12884901885 1317624576693539401 2635249153387078802 1 0 48 43 86 16383
// expect 10: 32767 3221225470 6442450942 1152921504606846975 2305843009213693951 1 1 48 44 87 8191 16383 2147483647
// expect 10: 4294967295 1024819115206086200 2049638230412172401 1 2 48 45 88 4095 8191 1610612735 3221225471
// expect 10: 922337203685477580 1844674407370955161 1 3 48

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void every(char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul, float f, double d, __global long *out)
{
    int g = get_global_id(0);
    __global long *o = out + 11 * g;
    o[0] = c / 3 + g;
    o[1] = uc / 3 + g;
    o[2] = s >> g;
    o[3] = us >> g;
    o[4] = (long)i * 3 / (g + 1);
    o[5] = (long)ui * 3 / (g + 1);
    o[6] = l / (g + 7);
    o[7] = (long)(ul / (g + 7));
    o[8] = (long)(f * 1024.0f);
    o[9] = d > 1e100 ? g : (long)(d * 4.0);
    o[10] = (c < 0) + 2 * (s < 0) + 4 * (i < 0) + 8 * (l < 0) + 16 * (uc > 127) + 32 * (us > 32767);
}
