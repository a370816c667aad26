// File-scope constant tables: 1-D, 2-D, of structs, of vectors, of chars as a
// string; indexed by data.
//
// launch: -k lookup -g 12 -l 4 -a rand:12:141 -a zero:12 -a zero:12
// expect 1: 53761 12758 61923 22017 54405 20844 38037 9249 60501 46477 38637 20995
// expect 2: 0.5 10 21 10 0 30 1 33 -11 0 -10 13

__constant int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
__constant short weights[3][4] = { { 1, -2, 3, -4 }, { 10, 20, 30 }, { -100, 0, 100, 1000 } };
__constant struct { float scale; int shift; } modes[] = { { 0.5f, 1 }, { 2.0f, 4 }, { -1.0f, 0 } };
__constant float2 corners[4] = { (float2)(0, 0), (float2)(1, 0), (float2)(0, 1), (float2)(1, 1) };
__constant char name[] = "sluice";
constant uint mask = 0xf0f0;

__kernel void lookup(__global const uint *in, __global int *out, __global float *real)
{
    int g = get_global_id(0);
    uint x = in[g];
    int m = x % 3;
    int acc = primes[x & 7] * weights[m][(x >> 3) & 3];
    for (int k = 0; k < 4; k++)
        acc += weights[(m + k) % 3][k] << modes[m].shift;
    acc += name[x % (sizeof(name) - 1)] + (x & mask);
    out[g] = acc;
    float2 c = corners[(x >> 5) & 3] * modes[m].scale + corners[g & 3];
    real[g] = c.x * 10.0f + c.y;
}
