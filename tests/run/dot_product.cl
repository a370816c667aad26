// A dot product with float4 loads, partial sums per work-item, a tree over
// the group with the addition order fixed, one result per group.
//
// launch: -k dots -g 16 -l 8 -a rand:32:1321:-1:1 -a rand:32:1322:-1:1 -a 32 -a local:32 -a zero:2
// expect 4: 1.5220864 2.5731707
// launch: -k dots -g 16 -l 16 -a rand:32:1321:-1:1 -a rand:32:1322:-1:1 -a 27 -a local:64 -a zero:1
// expect 4: 3.8000882

#pragma OPENCL FP_CONTRACT OFF
__kernel void dots(__global const float4 *a, __global const float4 *b, int n, __local float *part, __global float *out)
{
    int l = get_local_id(0), size = get_local_size(0);
    float4 acc = (float4)(0.0f);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        acc += a[i] * b[i];
    part[l] = (acc.x + acc.y) + (acc.z + acc.w);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_size = size / 2; half_size; half_size /= 2) {
        if (l < half_size)
            part[l] += part[l + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}
