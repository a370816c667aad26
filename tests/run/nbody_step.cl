// A step of gravitation: bodies staged in local memory tile by tile, softened
// inverse cube by exactly rounded root and division.
//
// launch: -k nbody -cl-fp32-correctly-rounded-divide-sqrt -g 12 -l 4 -a rand:12:951:-1:1 -a rand:12:952:-0.1:0.1 -a 0.01 -a zero:12
// expect 1: 0.012079596 -0.05272182 0.01567545 -0.048630048 -0.010036368 0.06621215 0.046131387 -0.031735994
// expect 1: -0.031999968 0.06684028 0.06626755 -0.016986823 -0.023606597 -0.088487744 0.016637534 0.07682498
// expect 1: -0.028247168 0.068068214 0.09250458 0.04388988 -0.079645045 0.09215474 -0.017375004 0.03894336
// expect 1: -0.066941835 -0.11001052 -0.067377344 0.057656456 -0.053039804 0.055250593 0.0744047 0.07871921
// expect 1: -0.025553832 0.082949206 0.027529411 0.0874954 -0.031749975 -0.091661155 0.02814243 -0.045320213
// expect 1: 0.09201875 -0.07457058 0.09109308 -0.08273727 -0.00050305005 -0.043863274 0.002264529 0.056121755
// expect 3: 0.967802 -0.88961095 -0.58928955 0.7846395 0.61604476 -0.5167902 -0.6407387 0.30984056 0.96723896
// expect 3: 0.6670557 -0.8873069 -0.7822248 0.9726171 -0.9936987 0.95961744 -0.06828618 0.22729415 -0.7503669
// expect 3: -0.8682902 -0.05143273 0.6423799 -0.26877874 0.6116336 -0.88181746 0.6159561 -0.39394358 -0.4277581
// expect 3: 0.751433 0.60276264 0.06528005 0.9032573 0.5413095 0.99160725 0.6744717 0.65312845 0.93572783 0.010296538
// expect 3: -0.666505 0.081406325 -0.9989091 -0.057975758 -0.8583872 0.8348535 0.95935404 -0.95055187 -0.26663393
// expect 3: 0.053290125 0.059079885

#pragma OPENCL FP_CONTRACT OFF
__kernel void nbody(__global const float4 *pos, __global float4 *vel, float dt, __global float4 *next)
{
    __local float4 tile[4];
    size_t i = get_global_id(0), l = get_local_id(0);
    float4 p = pos[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (size_t t = 0; t < get_num_groups(0); t++) {
        tile[l] = pos[t * 4 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 4; j++) {
            float dx = tile[j].x - p.x, dy = tile[j].y - p.y, dz = tile[j].z - p.z;
            float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float f = tile[j].w / (r2 * sqrt(r2));
            ax += f * dx;
            ay += f * dy;
            az += f * dz;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 v = vel[i];
    v.x += ax * dt;
    v.y += ay * dt;
    v.z += az * dt;
    vel[i] = v;
    next[i] = (float4)(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
}
