// A buffer argument may be null: the kernel tests it and does without.
//
// launch: -k scaled -g 8 -l 4 -a iota:8 -a null -a zero:8
// expect 2: 1 2 3 4 5 6 7 8
// launch: -k scaled -g 8 -l 4 -a iota:8 -a values:2,3,4,5,6,7,8,9 -a zero:8
// expect 2: 0 3 8 15 24 35 48 63

__kernel void scaled(__global const int *in, __global const int *factor, __global int *out)
{
    size_t i = get_global_id(0);
    int f = 1;
    if (factor)
        f = factor[i];
    out[i] = in[i] * f + (factor == 0);
}
