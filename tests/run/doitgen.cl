// Multi-resolution kernel: each (r, q) work-item multiplies its vector by a
// matrix and stores it over its own input.
//
// launch: -k doitgen -g 4,3 -l 2,1 -a rand:60:461:-3:3 -a rand:25:462:-3:3
// expect 0: 3 13 -10 -4 -13 -13 -5 14 9 4 -8 -9 16 11 3 4 12 0 2 -2 -7 -6 16 6 -3 11 17 -10 -5 -10 7 -7 1 17 21 17 11
// expect 0: -2 4 5 -3 -12 -1 -6 -2 7 10 2 1 0 -10 -15 16 21 15 12 21 -4 0 -4

#define NP 5
__kernel void doitgen(__global int *A, __global const int *C4)
{
    size_t q = get_global_id(0), r = get_global_id(1), nq = get_global_size(0);
    __global int *v = A + (r * nq + q) * NP;
    int sum[NP];
    for (int p = 0; p < NP; p++) {
        sum[p] = 0;
        for (int s = 0; s < NP; s++)
            sum[p] += v[s] * C4[s * NP + p];
    }
    for (int p = 0; p < NP; p++)
        v[p] = sum[p];
}
