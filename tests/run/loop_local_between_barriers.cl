// A loop over local memory that others fill, with another length in each group.
//
// launch: -k fold -g 12 -l 4 -a rand:48:3207:0:99 -a values:4,0,3 -a zero:12
// expect 2: 436 1695 2476 2867 0 0 0 0 480 877 1380 1629

__kernel void fold(__global const int *x, __global const int *lengths, __global int *y)
{
    __local int t[16];
    int l = get_local_id(0), group = get_group_id(0);
    int sum = 0;
    for (int part = 0; part < lengths[group]; part++) {
        t[l] = x[part * 12 + group * 4 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i <= l; i++)
            sum += t[i] << part;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[get_global_id(0)] = sum;
}
