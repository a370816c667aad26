// Loops with unroll requests, full, partial and none, over bounds known and
// unknown; the result is the same as without.
//
// launch: -k hinted -g 8 -l 4 -a rand:64:1251:-9:9 -a 5 -a zero:8
// expect 2: 9753 8341 -351 -7434 -866 -1324 -7047 -2889

__kernel __attribute__((vec_type_hint(int))) __attribute__((work_group_size_hint(4, 1, 1)))
void hinted(__global const int *restrict in, int n, __global int *restrict out)
{
    int g = get_global_id(0), s = 0;
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 4; i++)
        s += in[8 * g + i] << i;
    __attribute__((opencl_unroll_hint(2)))
    for (int i = 0; i < n; i++)
        s = s * 3 % 10007 - in[8 * g + i];
    __attribute__((opencl_unroll_hint(1)))
    for (int i = 7; i >= n; i--)
        s ^= in[8 * g + i];
    #pragma unroll 3
    for (int i = 0; i < 7; i++) {
        if (in[8 * g + i] == 0)
            break;
        s++;
    }
    out[g] = s;
}
