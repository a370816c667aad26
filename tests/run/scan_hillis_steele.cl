// Inclusive scan by doubling steps between two local buffers, and the same
// with a maximum as operator.
//
// launch: -k scan -g 32 -l 16 -a rand:32:901:-50:50 -a zero:32 -a zero:32
// expect 1: 7 31 3 -43 -35 6 21 53 3 53 59 47 45 81 62 37 9 -13 -17 -13 -24 17 -21 -42 -40 -5 -14 -11 -54 -22 25 53
// expect 2: 7 24 24 24 24 41 41 41 41 50 50 50 50 50 50 50 9 9 9 9 9 41 41 41 41 41 41 41 41 41 47 47
// launch: -k scan -g 33 -l 11 -a rand:33:902:-50:50 -a zero:33 -a zero:33
// expect 1: -40 10 -13 31 62 80 37 66 110 107 131 47 54 89 52 78 62 87 118 161 178 186 25 -8 -55 -32 -48 -60 -105
// expect 1: -143 -166 -151 -188
// expect 2: -40 50 50 50 50 50 50 50 50 50 50 47 47 47 47 47 47 47 47 47 47 47 25 25 25 25 25 25 25 25 25 25 25

__kernel void scan(__global const int *in, __global int *sums, __global int *peaks)
{
    __local int a[2][16], m[2][16];
    int l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int from = 0;
    a[0][l] = m[0][l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < n; d <<= 1) {
        int to = from ^ 1;
        a[to][l] = l >= d ? a[from][l] + a[from][l - d] : a[from][l];
        m[to][l] = l >= d ? max(m[from][l], m[from][l - d]) : m[from][l];
        from = to;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sums[g] = a[from][l];
    peaks[g] = m[from][l];
}
