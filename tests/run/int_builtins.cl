// Integer built-ins on ints, uints and vectors: mul_hi, mad_hi, mul24, mad24,
// hadd, rhadd, abs, abs_diff, clz, popcount, upsample, min, max, clamp.
//
// launch: -k builtins -g 8 -l 4 -a values:0,-1,2147483647,-2147483648,123456789,-987654321,77,-8388608 -a values:5,-1,2147483647,2147483647,-1000,99999,-77,8388607 -a zero:128
// expect 2: 0 0 17 0 1000 2 3 5 5 5 81332 128 5 0 5 0 0 4294967294 15 1 16712425 4294967295 4294967295 2 0 0 0 4128
// expect 2: 4294967295 4294967295 4294967295 1 1073741823 1073741823 1073741840 4282384385 16712425 2147483647
// expect 2: 2147483647 2147483648 0 0 1 3999 4294967295 4294934527 1000 4294967291 3221225472 1073741823 1073741840
// expect 2: 8388608 1000 4294967295 2147483648 2147483649 4294967295 1 80000 2049 65535 32767 4294966296 4294967267
// expect 2: 4294967267 123456760 123456777 4294002790 1261024 61727894 2209211543 123456813 123457789 4171509507
// expect 2: 30005 2576 3440770072 3440771071 1000 724864596 4294944300 77003 77020 3542652421 6159865 3801190135
// expect 2: 1653706487 987654418 987754320 3307212976 10000 1680 2538571423 2538536961 4294966296 1046737036
// expect 2: 4294967295 76 93 0 14783 0 2147483648 154 154 4294967142 10025 2116 5111731 5111807 77 185 4294950912
// expect 2: 8372223 8372240 3758129152 1000 4294967295 2147483648 8388609 16777215 4278190081 80000 2057 65535 127
// expect 2: 4294966296 16777187

uint fold(int4 v)
{
    uint4 u = as_uint4(v);
    return u.x ^ u.y * 3 ^ u.z * 5 ^ u.w * 7;
}

__kernel void builtins(__global const int *a, __global const int *b, __global uint *out)
{
    int g = get_global_id(0);
    int x = a[g], y = b[g];
    uint ux = x, uy = y;
    __global uint *o = out + 16 * g;
    o[0] = mul_hi(x, y);
    o[1] = mul_hi(ux, uy);
    o[2] = mad_hi(ux, uy, 17u);
    o[3] = mul24(x >> 8, y >> 9);
    o[4] = mad24(ux & 0xffffu, uy & 0xffu, 1000u);
    o[5] = hadd(x, y);
    o[6] = rhadd(ux, uy);
    o[7] = abs(x) + abs((char)y);
    o[8] = abs_diff(x, y);
    o[9] = abs_diff(ux, uy);
    o[10] = clz(x) + 100 * clz((ushort)y) + 10000 * clz((uchar)x);
    o[11] = popcount(ux) + 64 * popcount((ulong)ux << 32 | uy);
    o[12] = upsample((short)x, (ushort)y);
    o[13] = (uint)(upsample(ux, uy) >> 16);
    o[14] = (uint)clamp(x, -1000, 1000) + max(x, y) - min(ux, uy);
    int4 v = (int4)(x, y, x ^ y, x & y);
    o[15] = fold(hadd(v, v.yxwz)) ^ abs_diff(v, v.wzyx).s2 ^ fold(min(v, 5)) ^ fold(clamp(v, -9, (int)9));
}
