// Matrix powers modulo a prime by squaring: each work-item keeps a row in
// private memory and exchanges it through local memory for every product.
//
// launch: -k power -g 4 -l 4 -a values:1,1,0,2,1,0,3,0,0,1,1,1,5,0,0,1 -a 1000 -a zero:16
// expect 2: 9872 38033 57200 4846 16951 13095 25221 7972 63692 23220 46116 42590 22656 7972 44439 34486
// launch: -k power -g 4 -l 4 -a values:1,1,0,2,1,0,3,0,0,1,1,1,5,0,0,1 -a 0 -a zero:16
// expect 2: 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1

#define N 4
#define P 65521u
void times(__local uint (*shared)[N], const uint *left, const uint *right, uint *out, int row)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < N; j++)
        shared[row][j] = right[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint r[N];
    for (int j = 0; j < N; j++) {
        ulong s = 0;
        for (int k = 0; k < N; k++)
            s += (ulong)left[k] * shared[k][j];
        r[j] = s % P;
    }
    for (int j = 0; j < N; j++)
        out[j] = r[j];
}

__kernel void power(__global const uint *m, uint e, __global uint *out)
{
    __local uint shared[N][N];
    int row = get_local_id(0);
    uint base[N], result[N];
    for (int j = 0; j < N; j++) {
        base[j] = m[row * N + j];
        result[j] = j == row;
    }
    while (e) {
        if (e & 1)
            times(shared, result, base, result, row);
        times(shared, base, base, base, row);
        e >>= 1;
    }
    for (int j = 0; j < N; j++)
        out[row * N + j] = result[j];
}
