// One buffer read as float, float2, float4 and uint through casts; results
// written through a cast of a char pointer.
//
// launch: -k casts -g 8 -l 4 -a iota:32 -a zero:128
// expect 1: 0 0 64 64 0 0 248 65 0 0 0 0 0 64 64 0 0 0 16 65 0 0 240 65 0 128 64 0 0 224 64 0 0 0 112 65 0 0 232 65 0
// expect 1: 0 65 0 0 48 65 0 0 0 168 65 0 0 224 65 0 64 65 0 0 112 65 0 0 0 216 65 0 0 216 65 0 128 65 0 0 152 65 0 0
// expect 1: 0 4 66 0 0 208 65 0 160 65 0 0 184 65 0 0 0 28 66 0 0 200 65 0 192 65 0 0 216 65 0 0 0 52 66 0 0 192 65 0
// expect 1: 224 65 0 0 248 65 0

__kernel void casts(__global float *data, __global uchar *bytes)
{
    int i = get_global_id(0);
    float4 q = ((__global float4 *)data)[i];
    float2 p = *((__global float2 *)(data + 2 * i));
    uint u = ((__global uint *)data)[31 - i];
    __global uint4 *out = (__global uint4 *)bytes + i;
    uint4 r;
    r.x = as_uint(q.z + p.y);
    r.y = u;
    r.zw = as_uint2(q.xw) >> 8;
    *out = r;
}
