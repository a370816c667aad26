// Complex numbers as float2: product, conjugate, quotient, squaring, and a
// pair-wise product tree over a vector of them; all exact in small integers.
//
// launch: -k complex_ops -g 12 -l 4 -a rand:12:1041:-9:9 -a rand:12:1042:1:9 -a zero:12 -a zero:3
// expect 2: 19 43 0 0 -4 8 0 0 41 -41 0 0 98 14 0 0 36 32 0 0 -2 -9 0 0 53 31 0 0 28 -10 0 0 51 3 0 0 -2 -64 0 0 28
// expect 2: 24 0 0 40 -24 0 0
// expect 3: 728 1304 -342 1436 2220 2340

#pragma OPENCL FP_CONTRACT OFF
typedef float2 complex_t;

complex_t cmul(complex_t a, complex_t b)
{
    return (complex_t)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

complex_t conj_of(complex_t a)
{
    return (complex_t)(a.x, -a.y);
}

__kernel void complex_ops(__global const int2 *a, __global const int2 *b, __global float4 *out, __global float2 *products)
{
    __local complex_t t[4];
    int i = get_global_id(0), l = get_local_id(0);
    complex_t x = convert_float2(a[i]), y = convert_float2(b[i]);
    complex_t p = cmul(x, y), q = cmul(p, conj_of(y));
    float norm = dot(y, y);
    out[i] = (float4)(p, q - x * norm);
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 2)
        t[l] = cmul(t[l], t[l + 2]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        products[get_group_id(0)] = cmul(t[0], t[1]);
}
