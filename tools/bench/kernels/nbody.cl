// One step of all pairs: the fourth component of a body is its mass.
__kernel void nbody(__global const float4 *body, __global const float4 *velocity,
                    __global float4 *new_body, __global float4 *new_velocity, int n, float dt) {
    int i = get_global_id(0);
    float4 me = body[i];
    float3 force = (float3)(0.0f);
    for (int j = 0; j < n; ++j) {
        float4 other = body[j];
        float3 d = other.xyz - me.xyz;
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
        float r = sqrt(r2);
        force += d * (other.w / (r2 * r));
    }
    float4 v = velocity[i];
    v.xyz += force * dt;
    new_velocity[i] = v;
    new_body[i] = (float4)(me.xyz + v.xyz * dt, me.w);
}
