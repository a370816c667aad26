// The usual arithmetic conversions: signed against unsigned comparison,
// char times uint, long plus int, shifts keeping the left type, bool in
// arithmetic, unary minus of unsigned, comma and compound conditions.
//
// launch: -k promote -g 10 -l 5 -a values:-1,0,1,-128,127,5,-5,64,-64,33 -a values:1,0,4294967295,2147483648,127,3,4294967291,64,7,200 -a zero:10 -a zero:10
// expect 2: 4294968640 -1353 24964498786 -819936105211 95095 1672 -59324234793 29029 4294968919 39525
// expect 3: 1302 1352 1421 1412 1304 1432 1284 1304 1302 1439

__kernel void promote(__global const char *a, __global const uint *b, __global long *out, __global uint *bits)
{
    int g = get_global_id(0);
    char c = a[g];
    uint u = b[g];
    uint f = 0;
    f |= (c < u) << 0;
    f |= (c < (int)u) << 1;
    f |= ((long)c < u) << 2;
    f |= ((uchar)c == c) << 3;
    f |= (-u > u) << 4;
    f |= (!c + !u) << 5;
    f |= ((bool)(c & 64) != (bool)u) << 7;
    f |= (sizeof(c + c) == 4 && sizeof('a' + 1L) == 8) << 8;
    f |= (-1 > (uchar)1) << 9;
    f |= (-1 > 1u) << 10;
    bits[g] = f;
    long r = c * u;
    r += (long)c * u;
    r ^= (c << 4) + (u >> 4);
    int k = (f++, c ? f : -f);
    r = r * 3 + k + (c ? c : u);
    out[g] = r;
}
