// Halves only as storage: vload_half and vstore_half, scalar and vector, in
// several rounding modes, through overflow, denormals and ties.
//
// launch: -k pack -g 8 -l 4 -a values:0,1,-2,0.5,65504,-0.25,1024,3 -a values:1.0004883,65520,-1e-8,5.9604645e-8,2049,0.1,-70000,6.1e-5 -a zero:8 -a zero:32 -a zero:16
// expect 2: 0.125 1.125 -1.875 0.625 65504.125 -0.125 1024.125 3.125
// expect 3: 15360 15360 15361 15360 31744 31743 31744 31743 32768 32768 32768 32769 1 1 1 1 26624 26624 26625 26624
// expect 3: 11878 11878 11879 11878 64512 64511 64511 64512 1023 1023 1024 1023
// expect 4: 0 0 0.5 2 -1 -4 0.25 1 32752 inf -0.125 -0.5 512 2048 1.5 6
// launch: -k pack4 -g 4 -l 1 -a rand:16:5:-8:8 -a zero:16
// expect 1: 50793 50247 17417 48959 12719 18373 49060 50430 50640 47703 16031 48309 18182 18246 47630 17917

__kernel void pack(__global const half *in, __global const float *v, __global float *loaded, __global ushort *stored, __global half *twice)
{
    size_t i = get_global_id(0);
    float x = vload_half(i, in);
    loaded[i] = x + 0.125f;
    __global half *o = (__global half *)stored;
    float y = v[i];
    vstore_half(y, 4 * i, o);
    vstore_half_rtz(y, 4 * i + 1, o);
    vstore_half_rtp(y, 4 * i + 2, o);
    vstore_half_rtn(y, 4 * i + 3, o);
    vstore_half2((float2)(x * 0.5f, x + x), i, twice);
}

__kernel void pack4(__global const float *in, __global ushort *out)
{
    size_t i = get_global_id(0);
    float4 v = vload4(i, in);
    vstore_half4(v.wzyx, i, (__global half *)out);
}
