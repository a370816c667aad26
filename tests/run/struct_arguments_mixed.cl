// Several structs by value: padding before longs and doubles, vectors, a union, an
// array indexed by the work-item, and a struct changed by a helper's copy.
//
// launch: -k blend -g 6 -l 3 -a words:0x000000f3,0,1097262572,4294967267,0x00008005,0,0,1074135040,0x04ff0201,0x00000080 -a words:5,0xfffffff9,100000,3,0x40200000,0x3f800000,0xc1200000,0,0x12345678,0x0000c37f,0,0 -a 3 -a zero:6 -a zero:6 -a zero:6
// expect 3: -123456781148 -246913570165 -493827149454 -987654304247 -1975308616963 -3950617240520
// expect 4: -12.5 -9.75 -7 -4.25 -1.5 1.25
// expect 5: 3509868109 3509965288 785098682 3509868875 3509869133 3509844584

#pragma OPENCL FP_CONTRACT OFF
typedef struct {
    char c;
    long l;
    short s;
    double d;
    uchar list[5];
} longs;

typedef struct {
    int4 v;
    float3 f;
    union {
        uint u;
        uchar4 b;
    } w;
    char2 tail;
} vectors;

long total(longs x, int shift)
{
    x.l *= 1 << shift;
    x.list[shift % 5] ^= 0xff;
    long sum = x.l + x.c + x.s;
    for (int k = 0; k < 5; k++)
        sum += x.list[k];
    return sum;
}

__kernel void blend(longs a, vectors b, uchar n, __global long *whole, __global double *real, __global uint *bits)
{
    int g = get_global_id(0);
    whole[g] = total(a, g) - a.list[g % 5] * n + sizeof(longs) * 1000;
    b.w.b.s1 += g;
    b.v.yz = b.v.zy * g;
    int lanes[4] = { b.v.x, b.v.y, b.v.z, b.v.w };
    real[g] = a.d * g + b.f.z - b.f.x;
    bits[g] = b.w.u ^ (uint)lanes[g & 3] ^ (uint)(uchar)b.tail.y << 24 ^ (uint)sizeof(vectors);
}
