// length, distance, normalize, dot and the fast variants' neighbours, for
// float2, float3 and float4.
//
// launch: -k geo -g 6 -l 2 -a rand:6:111:0.5:4 -a rand:6:112:5:9 -a zero:6
// expect 2: 5.404742 10.600381 74.97007 4.6520224 0.5193852 0.62227833 0.5856694 10.611903 5.4600577 9.146297
// expect 2: 77.70172 5.0773263 0.5815254 0.48972648 0.6496123 9.99636 5.914704 9.474695 83.734604 4.5189786 0.4569438
// expect 2: 0.5784131 0.6757519 9.783785 3.8446026 10.871118 49.320087 3.3578293 0.48647454 0.57874465 0.6545205
// expect 2: 11.119209 5.773584 9.32453 78.503395 5.3288593 0.54776245 0.659036 0.51539105 8.810728 5.0339923
// expect 2: 12.111762 61.457333 5.0085263 0.6516624 0.5352253 0.5374663 12.130853
// ulp: 8

__kernel void geo(__global const float4 *a, __global const float4 *b, __global float8 *out)
{
    int i = get_global_id(0);
    float4 p = a[i], q = b[i];
    float8 r;
    r.s0 = length(p);
    r.s1 = distance(p, q);
    r.s2 = dot(p, q);
    r.s3 = length(p.xyz);
    r.s456 = normalize(q.xyz);
    r.s7 = distance(p.xy, q.zw) + length(p.x);
    out[i] = r;
}
