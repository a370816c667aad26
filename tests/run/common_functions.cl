// clamp, mix, step, smoothstep, sign, degrees and radians where the results
// are exact, on scalars and with a scalar edge for a vector.
//
// launch: -k common_set -g 9 -l 3 -a values:-2,-0.5,0,0.25,0.5,0.75,1,1.5,4 -a zero:9 -a zero:9
// expect 1: -1025 1045 -1025 1036.5 -1024.5 1036.5 -1025 1036.5 0 0 0 1036.5 1026.75 -1024.25 1036.5 1036.5 1036.5
// expect 1: -1024.5 1045 1036.5 1042.25 -1024.75 1045 1036.5 1045 -1025 1045 1036.5 1045 -1025 1045 1036.5 1045 -1025
// expect 1: 1045 1036.5
// expect 2: -6.5 5.5 9.5 11.5 12.5 14.5 16.5 20.5 40.5

__kernel void common_set(__global const float *in, __global float4 *out, __global float *turn)
{
    int i = get_global_id(0);
    float x = in[i];
    float4 v = (float4)(x, -x, x * 2.0f, 0.5f);
    float4 e = step(0.5f, v);
    float4 s = smoothstep(0.0f, 1.0f, v);
    out[i] = clamp(v, -1.0f, 1.0f) + 4.0f * e + 16.0f * s + sign(v) * 1024.0f;
    turn[i] = mix(8.0f, 16.0f, x) + step(x, 0.25f) + (fabs(degrees(radians(x)) - x) < 1e-5f ? 0.5f : 0.0f);
}
