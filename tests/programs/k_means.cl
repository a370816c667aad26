// One round of k-means on points with four coordinates.
#pragma OPENCL FP_CONTRACT OFF

__kernel void assign(__global const float4 *points, __constant float4 *centres, int clusters,
                     __global int *nearest, __global int *moved) {
    size_t i = get_global_id(0);
    float4 point = points[i];
    int best = 0;
    float best_distance = INFINITY;
    for (int c = 0; c < clusters; ++c) {
        float4 d = point - centres[c];
        d *= d;
        float distance = d.x + d.y + d.z + d.w;
        if (distance < best_distance) {
            best_distance = distance;
            best = c;
        }
    }
    if (nearest[i] != best) {
        nearest[i] = best;
        atomic_inc(moved);
    }
}

// Coordinates are sums of integers, so that the order in which they are added does not matter.
__kernel void gather(__global const float4 *points, __global const int *nearest,
                     __global int *sums, float scale) {
    size_t i = get_global_id(0);
    int4 p = convert_int4_rte(points[i] * (float4)(scale));
    __global int *sum = sums + nearest[i] * 5;
    atomic_add(sum, p.x);
    atomic_add(sum + 1, p.y);
    atomic_add(sum + 2, p.z);
    atomic_add(sum + 3, p.w);
    atomic_inc(sum + 4);
}
