// Particle forces between neighbouring boxes: a group per box, particles of
// the neighbour staged in local memory, a polynomial instead of exp.
//
// launch: -k forces -g 12 -l 4 -a values:2,0,1,0,3,0,1,2,0,2,1,2,0 -a rand:12:661:-1:1 -a rand:12:662:0:1 -a zero:12
// expect 3: -0.1829866 0.3550697 -0.65910643 3.2720785 0.31059963 -0.5315528 0.48066625 1.1288426 -0.23145694
// expect 3: 0.36802402 -0.6747558 1.5144911 0.31596944 -0.033997606 -0.19376962 0.3335513 -0.060926057 0.7875684
// expect 3: 0.65234685 1.5082446 0.014338084 0.08499804 0.1352172 0.32392025 -0.19258386 -0.75855947 -0.19466516
// expect 3: 2.305152 0.002645108 -0.047839344 -0.076834515 0.096241064 -0.18940976 0.18579893 -0.5869878 1.0242391
// expect 3: 0.061081287 -0.02167555 -0.11089164 0.19704577 0.11926903 -0.11238243 0.15503122 1.420465 0.0022177296
// expect 3: -0.0017606015 0.0013057924 0.0023172575

#pragma OPENCL FP_CONTRACT OFF
typedef struct {
    float4 at;
    float charge;
} particle;

__kernel void forces(__global const int *boxes, __global const float4 *position, __global const float *charge, __global float4 *force)
{
    __local particle other[4];
    int l = get_local_id(0), box = get_group_id(0), g = get_global_id(0);
    float4 me = position[g], acc = (float4)(0.0f);
    int start = box == 0 ? 1 : box == 1 ? 5 : 9;
    int count = box == 0 ? 3 : box == 1 ? 3 : 2;
    for (int k = 0; k <= count; k++) {
        int nb = k == 0 ? box : boxes[start + k - 1];
        other[l].at = position[nb * 4 + l];
        other[l].charge = charge[nb * 4 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 4; j++) {
            if (nb == box && j == l)
                continue;
            float4 d = me - other[j].at;
            float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
            if (r2 > 2.0f)
                continue;
            float u = 1.0f - r2 * 0.5f;
            float w = other[j].charge * u * u;
            acc.xyz += d.xyz * w;
            acc.w += w;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    force[g] = acc;
}
