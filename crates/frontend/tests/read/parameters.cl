// Every kind of parameter, work-group size attributes, a typedef and a struct by value.
typedef struct { int count; float4 weights; char tag; } Settings;
typedef uint4 Quad;
__attribute__((reqd_work_group_size(16, 4, 1))) __attribute__((work_group_size_hint(8, 8, 1)))
kernel void parameters(global Quad *quads, constant float *table, local double *scratch, global Settings *many,
                       const Settings one, volatile global ushort *restrict flags, float3 direction, ulong seed,
                       global int (*rows)[5], global void *raw) {
  many[get_local_id(1)].tag = one.tag;
  quads[0] = (Quad)(one.count, seed, flags[1], table[2] * direction.z + one.weights.w);
  scratch[get_local_id(0)] = rows[seed][2];
  ((global char *)raw)[3] = 1;
}
