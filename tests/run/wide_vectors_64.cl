// long and double vectors: arithmetic, comparison masks as wide as the
// elements, select, reductions by halves, conversion to narrower ones.
//
// launch: -k wide -g 4 -l 2 -a rand:4:1241:-1000000000000:1000000000000 -a rand:4:1242:-8:8 -a zero:4 -a zero:4 -a zero:4
// expect 2: -344551541668 -327395461535 -173304798134 -173304798127 -263811276969 -263811276966 -710431052223
// expect 2: 331787955935 -12240389178 -12240389176 -408669832512 337118062234 793268204099 699934440330 -50648789661
// expect 2: 661297203432
// expect 3: 172275770820.88928 163697730755.88928 86652399052.88927 349611687417.3893 131905638481.19696
// expect 3: 399440024108.442 355215526107.19696 -165893977970.30304 -54870648806.78725 6120194589.404997
// expect 3: 204334916254.905 -168559031116.595 -396634102030.1867 -349967220125.8502 -330648601663.79877
// expect 3: 25324394848.785236
// expect 4: -2147483648 -2147483645 -2147483648 -2147483648 -2147483645 -2147483648 -2147483648 2147483647 2147483647
// expect 4: -2147483648 -2147483644 2147483647 2147483643 2147483641 2147483647 -2147483648

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void wide(__global const long4 *a, __global const double4 *b, __global long4 *out, __global double4 *real, __global int4 *narrow)
{
    int g = get_global_id(0);
    long4 x = a[g];
    double4 y = b[g];
    long4 m = x < x.wzyx;
    long4 n = y > 0.0;
    out[g] = select(x, x.yxwz, m & n) + (x >> 40L) * (long4)(1, -2, 3, -4);
    double2 h = y.lo + y.hi;
    real[g] = select(y * y, (double4)(h.x + h.y), isless(y, (double4)(0.0, 1.0, 2.0, 3.0))) - convert_double4(x) * 0.5;
    narrow[g] = add_sat(convert_int4(m ^ n) * convert_int4_rtz(y), convert_int4_sat(x));
}
