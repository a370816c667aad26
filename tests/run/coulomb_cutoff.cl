// Potential on a lattice from atoms within a cutoff radius; atoms are tested
// by squared distance, the root is exactly rounded by build option.
//
// launch: -k cutoff -cl-fp32-correctly-rounded-divide-sqrt -g 6,4 -l 3,2 -a 8 -a rand:8:801:0:3 -a 2.25 -a 0.5 -a zero:24
// expect 4: 1.2304156 2.2776828 1.5067514 0.3259581 0 0 1.1247038 2.0690522 1.3772718 0.2887181 0 0 0.33346233
// expect 4: 0.67855746 0.43055004 0.02883892 0 0 0 0.0065874388 0 0 0 0

#pragma OPENCL FP_CONTRACT OFF
__kernel void cutoff(int atoms, __global const float4 *atom, float cutoff2, float spacing, __global float *lattice)
{
    int x = get_global_id(0), y = get_global_id(1);
    float px = x * spacing, py = y * spacing;
    float energy = 0.0f;
    for (int a = 0; a < atoms; a++) {
        float4 p = atom[a];
        float dx = p.x - px, dy = p.y - py;
        float r2 = dx * dx + dy * dy + p.z * p.z;
        if (r2 < cutoff2) {
            float s = 1.0f - r2 / cutoff2;
            energy += p.w * (1.0f / sqrt(r2)) * s * s;
        }
    }
    lattice[y * get_global_size(0) + x] = energy;
}
