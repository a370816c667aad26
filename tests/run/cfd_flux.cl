// Flux contributions of an unstructured mesh: gather from four neighbours,
// with far field and wall markers, helpers that return through pointers.
//
// launch: -k flux -g 6 -l 3 -a 6 -a values:1,2,-1,-2,0,3,4,-1,0,5,-2,3,1,2,4,5,1,3,5,-1,2,3,4,-2 -a rand:48:621:-1:1 -a values:1.25,1.5,0.75,1,1.125,0.875 -a rand:24:622:-1:1 -a zero:24
// expect 5: -0.19439663 -0.07056072 -0.16464585 -0.061189096 0.15970269 0.4454161 -0.4904742 -0.3336069 0.05166661
// expect 5: -0.30325553 0.22179349 0.086258724 -1.3220061 -0.8384951 -0.26985276 0.70535344 0.016927749 -0.67936325
// expect 5: 0.017540544 0.5487653 1.4370935 0.585057 -1.0284169 -0.21023838

#pragma OPENCL FP_CONTRACT OFF
#define NB 4

void velocity(float density, float2 momentum, float2 *v)
{
    v->x = momentum.x / density;
    v->y = momentum.y / density;
}

float pressure(float density, float energy, float speed2)
{
    return 0.5f * (energy - 0.5f * density * speed2);
}

__kernel void flux(int n, __global const int *neighbours, __global const float *normals, __global const float *density, __global const float *rest, __global float *out)
{
    int i = get_global_id(0);
    float2 v, total = 0.0f;
    float mass = 0.0f, energy = 0.0f;
    float2 mom = vload2(0, rest + 4 * i);
    float e = rest[4 * i + 2];
    velocity(1.0f, mom, &v);
    float p = pressure(density[i], e, v.x * v.x + v.y * v.y);
    for (int j = 0; j < NB; j++) {
        int nb = neighbours[i * NB + j];
        float2 normal = vload2(i * NB + j, normals);
        if (nb >= 0) {
            float2 m2 = vload2(0, rest + 4 * nb), v2;
            velocity(0.5f, m2, &v2);
            float p2 = pressure(density[nb], rest[4 * nb + 2], v2.x * v2.x + v2.y * v2.y);
            float f = 0.5f * (normal.x * (mom.x + m2.x) + normal.y * (mom.y + m2.y));
            mass += f;
            total += normal * (p + p2) * 0.5f;
            energy += f * (e + rest[4 * nb + 2]);
        } else if (nb == -1) {
            total += normal * p;
        } else {
            mass += normal.x * 1.4f;
            energy -= normal.y * p;
        }
    }
    vstore4((float4)(mass, total.x, total.y, energy), i, out);
}
