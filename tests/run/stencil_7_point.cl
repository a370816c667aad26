// A seven-point stencil in three dimensions, sliding along z with values kept
// in registers.
//
// launch: -k stencil -g 5,4 -l 5,2 -a 2 -a -1 -a 6 -a rand:120:861:-20:20 -a fill:120:99
// expect 4: 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 -38 90 -23 99 99 79 -99 9
// expect 4: 99 99 99 99 99 99 99 99 99 99 99 99 18 -6 16 99 99 -73 68 -12 99 99 99 99 99 99 99 99 99 99 99 99 -3 -16
// expect 4: 20 99 99 43 -36 45 99 99 99 99 99 99 99 99 99 99 99 99 -28 68 -32 99 99 -34 20 8 99 99 99 99 99 99 99 99
// expect 4: 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99

__kernel void stencil(int c0, int c1, int nz, __global const int *in, __global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), nx = get_global_size(0), ny = get_global_size(1);
    if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1)
        return;
    int plane = nx * ny, at = y * nx + x;
    int below = in[at], here = in[at + plane];
    for (int z = 1; z < nz - 1; z++) {
        at += plane;
        int above = in[at + plane];
        out[at] = c1 * (below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]) + c0 * here;
        below = here;
        here = above;
    }
}
