// Vectors as by-value kernel arguments: char3, float4, int2, double2, uchar16,
// passed on to helpers that return vectors.
//
// launch: -k apply -g 8 -l 4 -a -1,2,-3 -a 1.5,2.5,-3.5,4 -a 7,-9 -a 0.1,1e10 -a 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 -a zero:8 -a zero:8
// expect 5: 0.5 10.5 -36.5 20 20 3 14 -39 5.5 17.5 -41.5 20 20 8 21 -44 10.5 24.5 -46.5 20 20 13 28 -49 15.5 31.5
// expect 5: -51.5 20 20 18 35 -54
// expect 6: 10000000000 0.1 10000000001 -0.9 10000000002 -1.9 10000000003 -2.9 10000000004 -3.9 10000000005 -4.9
// expect 6: 10000000006 -5.9 10000000007 -6.9

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
float4 scale(float4 v, int2 k)
{
    return v * (float)k.x + (float)k.y;
}

__kernel void apply(char3 c, float4 f, int2 k, double2 d, uchar16 u, __global float4 *out, __global double2 *wide)
{
    int i = get_global_id(0);
    float4 r = scale(f, k + i);
    r.xyz += convert_float3(c);
    r.w = u.s8 + as_uint4(u).y % 1000u;
    if (i & 1)
        r = r.wxyz;
    out[i] = r;
    wide[i] = d.yx + (double2)(i, -i);
}
