// Grid-stride accumulation in registers, tree in local memory, and the last
// group to finish (by an atomic ticket) combines the partial sums.
//
// launch: -k total -g 32 -l 8 -a rand:200:891:0:1000 -a 200 -a zero:4 -a zero:1 -a zero:1
// expect 2: 29262 22633 20337 25288
// expect 3: 4
// expect 4: 97520

__kernel void total(__global const uint *in, uint n, volatile __global uint *partial, volatile __global uint *finished, __global uint *result)
{
    __local uint t[8];
    __local bool last;
    uint l = get_local_id(0), s = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        s += in[i];
    t[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 4; d > 0; d /= 2) {
        if (l < d)
            t[l] += t[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) {
        atomic_xchg(&partial[get_group_id(0)], t[0]);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = atomic_inc(finished) == get_num_groups(0) - 1;
        if (last) {
            uint sum = 0;
            for (uint k = 0; k < get_num_groups(0); k++)
                sum += atomic_or(&partial[k], 0);
            *result = sum;
        }
    }
}
