// Barriers in the inner of two loops, in a do-while and several in a row;
// values carried in registers across them.
//
// launch: -k waves -g 16 -l 8 -a rand:16:221:1:9 -a zero:16
// expect 1: 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2
// launch: -k waves -g 16 -l 4 -a rand:16:221:1:9 -a zero:16
// expect 1: 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2

__kernel void waves(__global const uint *in, __global uint *out)
{
    __local uint cell[8];
    uint l = get_local_id(0), n = get_local_size(0);
    uint carried = in[get_global_id(0)];
    for (uint i = 0; i < 3; i++) {
        for (uint j = i; j < 3; j++) {
            cell[l] = carried + j;
            barrier(CLK_LOCAL_MEM_FENCE);
            carried = carried * 3 + cell[l ^ 1];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint step = 1;
        do {
            cell[l] = carried;
            barrier(CLK_LOCAL_MEM_FENCE);
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            uint other = cell[(l + step) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
            carried = (carried ^ other) + i;
            step *= 2;
        } while (step < n);
    }
    out[get_global_id(0)] = carried;
}
