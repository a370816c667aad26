__kernel void sum(__global int *data, __local int *part) {
    part[get_local_id(0)] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = part[0];
}
