// Separable convolution of a row with a halo on both sides in local memory;
// the halo is loaded by the first and last work-items only.
//
// launch: -k rows -g 16,4 -l 8,2 -a rand:64:1101:-20:20 -a values:1,4,6,4,1 -a zero:64
// expect 2: -42 -32 -21 32 107 128 115 80 27 36 81 63 29 65 115 91 -144 -163 -174 -198 -150 -19 80 64 -30 -81 -13 119
// expect 2: 201 160 28 -64 103 126 121 129 95 26 37 124 185 177 129 66 -26 -76 0 87 142 179 101 22 46 83 68 64 88 78
// expect 2: 72 123 103 -17 -63 -12
// launch: -k rows -g 16,4 -l 4,4 -a rand:64:1101:-20:20 -a values:-1,0,3,0,-1 -a zero:64
// expect 2: -24 22 -25 -24 54 6 0 44 -43 -22 55 5 -32 -12 56 12 -45 -10 16 -47 -51 20 42 40 -21 -52 -25 30 49 54 -17
// expect 2: -57 24 34 -28 33 41 -49 -27 30 28 34 -8 27 4 -83 1 70 16 70 17 -77 25 28 -2 -20 25 31 -68 53 72 -57 -48
// expect 2: 31

#define R 2
__kernel void rows(__global const int *in, __constant int *k, __global int *out)
{
    __local int line[4][8 + 2 * R];
    int lx = get_local_id(0), ly = get_local_id(1), n = get_local_size(0);
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    line[ly][lx + R] = in[y * w + x];
    if (lx < R)
        line[ly][lx] = x >= R ? in[y * w + x - R] : 0;
    if (lx >= n - R)
        line[ly][lx + 2 * R] = x + R < w ? in[y * w + x + R] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (int t = -R; t <= R; t++)
        s += line[ly][lx + R + t] * k[t + R];
    out[y * w + x] = s;
}
