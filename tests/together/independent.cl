// Two independent kernels, one with local memory, one without.
//
// launch: -k reverse -g 12 -l 4 -a iota:12
// with: -k squares -g 5 -l 5 -a zero:5
// expect 0: 3 2 1 0 7 6 5 4 11 10 9 8
// expect 1: 0 1 4 9 16

__kernel void reverse(__global int *data)
{
    __local int tile[16];
    const int item = get_local_id(0), size = get_local_size(0);
    tile[item] = data[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    data[get_global_id(0)] = tile[size - 1 - item];
}

__kernel void squares(__global int *out)
{
    const int i = get_global_id(0);
    out[i] = i * i;
}
