// The macros that OpenCL C and this device define, bit for bit.
//
// launch: -k macros -g 1 -l 1 -a zero:50 -a zero:4 -a zero:20 -a zero:17 -a zero:16
// expect 0: 8 127 -128 127 -128 255 32767 -32768 65535 2147483647 -2147483648 6 24 38 128 -37 -125 2 15 53 308 1024 -307 -1021 2 3 11 4 16 -4 -13 2 -2147483648 2147483647 1 300 120 100 110 120 1 1 1 1 1 1 1 1 1 1
// expect 1: 4294967295 9223372036854775807 -9223372036854775808 -1
// expect 2: 2139095039 8388608 872415232 2139095039 2139095040 2139095040 1076754516 1069066811 1054759897 1060205080 1075010958 1078530011 1070141403 1061752795 1050868099 1059256707 1066430139 1068827891 1060439283 1
// expect 3: 9218868437227405311 4503599627370496 4372995238176751616 9218868437227405312 4613303445314885481 4609176140021203710 4601495173785380110 4604418534313441775 4612367379483415830 4614256656552045848 4609753056924675352 4605249457297304856 4599405781057128579 4603909380684499075 4607760587169110893 4609047870845172685 4604544271217802189
// expect 4: 31743 1024 5120 16752 15813 14067 14732 16539 16968 15944 14920 13592 14616 15491 15784 14760
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void macros(__global int *ints, __global long *longs, __global int *floats,
                     __global long *doubles, __global ushort *halves) {
  ints[0] = CHAR_BIT;
  ints[1] = SCHAR_MAX;
  ints[2] = SCHAR_MIN;
  ints[3] = CHAR_MAX;
  ints[4] = CHAR_MIN;
  ints[5] = UCHAR_MAX;
  ints[6] = SHRT_MAX;
  ints[7] = SHRT_MIN;
  ints[8] = USHRT_MAX;
  ints[9] = INT_MAX;
  ints[10] = INT_MIN;
  ints[11] = FLT_DIG;
  ints[12] = FLT_MANT_DIG;
  ints[13] = FLT_MAX_10_EXP;
  ints[14] = FLT_MAX_EXP;
  ints[15] = FLT_MIN_10_EXP;
  ints[16] = FLT_MIN_EXP;
  ints[17] = FLT_RADIX;
  ints[18] = DBL_DIG;
  ints[19] = DBL_MANT_DIG;
  ints[20] = DBL_MAX_10_EXP;
  ints[21] = DBL_MAX_EXP;
  ints[22] = DBL_MIN_10_EXP;
  ints[23] = DBL_MIN_EXP;
  ints[24] = DBL_RADIX;
  ints[25] = HALF_DIG;
  ints[26] = HALF_MANT_DIG;
  ints[27] = HALF_MAX_10_EXP;
  ints[28] = HALF_MAX_EXP;
  ints[29] = HALF_MIN_10_EXP;
  ints[30] = HALF_MIN_EXP;
  ints[31] = HALF_RADIX;
  ints[32] = FP_ILOGB0;
  ints[33] = FP_ILOGBNAN;
  ints[34] = __ENDIAN_LITTLE__;
  ints[35] = __OPENCL_VERSION__;
  ints[36] = __OPENCL_C_VERSION__;
  ints[37] = CL_VERSION_1_0;
  ints[38] = CL_VERSION_1_1;
  ints[39] = CL_VERSION_1_2;
  ints[40] = FP_FAST_FMAF;
  ints[41] = FP_FAST_FMA;
  ints[42] = FP_FAST_FMA_HALF;
  ints[43] = cl_khr_fp64;
  ints[44] = cl_khr_fp16;
  ints[45] = cl_khr_byte_addressable_store;
  ints[46] = cl_khr_int64_base_atomics;
  ints[47] = cl_khr_int64_extended_atomics;
  ints[48] = cl_khr_global_int32_base_atomics;
  ints[49] = cl_khr_local_int32_extended_atomics;
  longs[0] = UINT_MAX;
  longs[1] = LONG_MAX;
  longs[2] = LONG_MIN;
  longs[3] = ULONG_MAX;
  floats[0] = as_int(FLT_MAX);
  floats[1] = as_int(FLT_MIN);
  floats[2] = as_int(FLT_EPSILON);
  floats[3] = as_int(MAXFLOAT);
  floats[4] = as_int(HUGE_VALF);
  floats[5] = as_int(INFINITY);
  floats[6] = as_int(M_E_F);
  floats[7] = as_int(M_LOG2E_F);
  floats[8] = as_int(M_LOG10E_F);
  floats[9] = as_int(M_LN2_F);
  floats[10] = as_int(M_LN10_F);
  floats[11] = as_int(M_PI_F);
  floats[12] = as_int(M_PI_2_F);
  floats[13] = as_int(M_PI_4_F);
  floats[14] = as_int(M_1_PI_F);
  floats[15] = as_int(M_2_PI_F);
  floats[16] = as_int(M_2_SQRTPI_F);
  floats[17] = as_int(M_SQRT2_F);
  floats[18] = as_int(M_SQRT1_2_F);
  floats[19] = isnan(NAN);
  doubles[0] = as_long(DBL_MAX);
  doubles[1] = as_long(DBL_MIN);
  doubles[2] = as_long(DBL_EPSILON);
  doubles[3] = as_long(HUGE_VAL);
  doubles[4] = as_long(M_E);
  doubles[5] = as_long(M_LOG2E);
  doubles[6] = as_long(M_LOG10E);
  doubles[7] = as_long(M_LN2);
  doubles[8] = as_long(M_LN10);
  doubles[9] = as_long(M_PI);
  doubles[10] = as_long(M_PI_2);
  doubles[11] = as_long(M_PI_4);
  doubles[12] = as_long(M_1_PI);
  doubles[13] = as_long(M_2_PI);
  doubles[14] = as_long(M_2_SQRTPI);
  doubles[15] = as_long(M_SQRT2);
  doubles[16] = as_long(M_SQRT1_2);
  halves[0] = as_ushort(HALF_MAX);
  halves[1] = as_ushort(HALF_MIN);
  halves[2] = as_ushort(HALF_EPSILON);
  halves[3] = as_ushort(M_E_H);
  halves[4] = as_ushort(M_LOG2E_H);
  halves[5] = as_ushort(M_LOG10E_H);
  halves[6] = as_ushort(M_LN2_H);
  halves[7] = as_ushort(M_LN10_H);
  halves[8] = as_ushort(M_PI_H);
  halves[9] = as_ushort(M_PI_2_H);
  halves[10] = as_ushort(M_PI_4_H);
  halves[11] = as_ushort(M_1_PI_H);
  halves[12] = as_ushort(M_2_PI_H);
  halves[13] = as_ushort(M_2_SQRTPI_H);
  halves[14] = as_ushort(M_SQRT2_H);
  halves[15] = as_ushort(M_SQRT1_2_H);
}
