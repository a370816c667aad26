// reqd_work_group_size in two dimensions: the sizes are known when compiling
// and the local array is sized by them.
//
// launch: -k transpose -g 8,4 -l 4,2 -a iota:32 -a zero:32
// expect 1: 1.5 5.5 2.5 6.5 3.5 7.5 4.5 8.5 9.5 13.5 10.5 14.5 11.5 15.5 12.5 16.5 17.5 21.5 18.5 22.5 19.5 23.5 20.5
// expect 1: 24.5 25.5 29.5 26.5 30.5 27.5 31.5 28.5 32.5

#define W 4
#define H 2
__attribute__((reqd_work_group_size(W, H, 1)))
__kernel void transpose(__global const float *in, __global float *out)
{
    __local float t[H * W];
    int l = get_local_id(1) * W + get_local_id(0);
    int group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    t[l] = in[group * W * H + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = l / H, c = l % H;
    out[group * W * H + l] = t[c * W + r] + 0.25f * get_local_size(1) + get_local_size(2);
}
