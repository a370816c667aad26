// Convolutions: 3x3 with fixed weights in 2-D, 2x3x3 in 3-D with weights
// from a constant argument; borders stay as they are.
//
// launch: -k conv2d -g 8,5 -l 4,1 -a rand:40:511:-10:10 -a fill:40:-1
// expect 1: -1 -1 -1 -1 -1 -1 -1 -1 -1 159 122 24 60 114 -22 -1 -1 -30 154 -152 62 124 -118 -1 -1 56 73 -12 -46 181
// expect 1: -223 -1 -1 -1 -1 -1 -1 -1 -1 -1
// launch: -k conv3d -g 4,4,4 -l 2,2,2 -a rand:64:512:-10:10 -a values:1,2,1,0,-1,0,3,-2,1,1,1,1,-1,5,-1,0,2,0 -a fill:64:-999
// expect 2: -999 -999 -999 -999 -999 69 -52 -999 -999 -38 -5 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 7 29
// expect 2: -999 -999 68 -28 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 32 -15 -999 -999 -48 -25 -999 -999
// expect 2: -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999 -999

__kernel void conv2d(__global const int *in, __global int *out)
{
    int j = get_global_id(0), i = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    if (i == 0 || j == 0 || i == h - 1 || j == w - 1)
        return;
#define AT(di, dj) in[(i + di) * w + (j + dj)]
    out[i * w + j] = 2 * AT(-1, -1) + 5 * AT(-1, 0) - 8 * AT(-1, 1) - 3 * AT(0, -1) + 6 * AT(0, 0) - 9 * AT(0, 1) + 4 * AT(1, -1) + 7 * AT(1, 0) + 10 * AT(1, 1);
}

__kernel void conv3d(__global const int *in, __constant int *weights, __global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2);
    if (x < 1 || x > nx - 2 || y < 1 || y > ny - 2 || z > nz - 2)
        return;
    int s = 0;
    __constant int *w = weights;
    for (int dz = 0; dz < 2; dz++)
        for (int dy = -1; dy < 2; dy++)
            for (int dx = -1; dx < 2; dx++)
                s += *w++ * in[((z + dz) * ny + y + dy) * nx + x + dx];
    out[(z * ny + y) * nx + x] = s;
}
