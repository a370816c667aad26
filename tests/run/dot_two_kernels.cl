// A dot product in two launches: partial sums in 64 bits by interleaved groups,
// and one group that folds all of them, however many there are.
//
// launch: -k partial -g 96 -l 16 -a rand:177:2021:-100:100 -a rand:177:2022:-100:100 -a 177 -a zero:6
// expect 3: -24117 -26846 -16859 -8928 19789 7437
// launch: -k finish -g 4 -l 4 -a values:-24117,-26846,-16859,-8928,19789,7437 -a 6 -a local:32 -a zero:1
// expect 3: -49524
// launch: -k finish -g 32 -l 32 -a values:-207163452555264,-230605384056832,-144817707286528,-76690936037376,169986215641088,63883343560704 -a 6 -a local:256 -a zero:1
// expect 3: -425407920734208
// launch: -k finish -g 1 -l 1 -a values:-24117,-26846,-16859,-8928,19789,7437 -a 5 -a local:8 -a zero:1
// expect 3: -56961

void fold(__local long *t, uint l, uint size)
{
    for (uint half_size = size / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            t[l] += t[l + half_size];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void partial(__global const int *a, __global const int *b, uint n, __global long *sums)
{
    __local long t[16];
    const uint l = get_local_id(0);
    long sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += (long)a[i] * b[i];
    t[l] = sum;
    fold(t, l, 16);
    if (l == 0)
        sums[get_group_id(0)] = t[0];
}

__kernel void finish(__global const long *sums, uint n, __local long *t, __global long *result)
{
    const uint l = get_local_id(0), size = get_local_size(0);
    long sum = 0;
    for (uint i = l; i < n; i += size)
        sum += sums[i];
    t[l] = sum;
    fold(t, l, size);
    if (l == size - 1)
        *result = t[0];
}
