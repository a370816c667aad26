// num_simd_work_items: four neighbours share a token, with a branch and a loop that they take differently.
//
// launch: -k lengths -g 16 -l 8 -a iota:16 -a zero:16
// expect 1: 0 11 2 12 3 13 3 13 4 14 4 14 4 14 4 14

__attribute__((num_simd_work_items(4)))
__attribute__((reqd_work_group_size(8, 1, 1)))
__kernel void lengths(__global const int *in, __global int *out)
{
    int i = get_global_id(0);
    int n = in[i], count = 0;
    if (n & 1)
        count = 10;
    while (n > 0) {
        n >>= 1;
        ++count;
    }
    out[i] = count;
}
