// Several generations of the game of life on a torus held by one group as bytes,
// in two planes that take turns; no generation at all is possible too.
//
// launch: -k life -g 16,8 -l 16,8 -a rand:128:2281:0:1 -a 5 -a zero:1
// expect 0: 1 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 0 0 0 0 0 0 0 0 1 1 0 0 0 1 1 1 0 0 0 0 0 0 0 0 0 0 0 0 1 1 0 1 1 0
// expect 0: 0 0 0 0 1 1 0 0 0 1 0 1 0 1 0 0 0 0 0 1 1 1 1 1 0 0 0 0 0 1 1 0 0 0 0 1 1 1 0 1 1 1 0 0 0 1 0 0 0 0 0 0 0 0
// expect 0: 0 0 0 1 1 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0
// expect 2: 36
// launch: -k life -g 7,9 -l 7,9 -a rand:63:2282:0:1 -a 1 -a zero:1
// expect 0: 0 0 1 0 0 0 0 0 0 1 1 1 0 0 0 1 1 1 0 1 0 1 1 0 1 0 1 0 0 0 1 1 0 1 0 1 0 1 0 1 1 0 0 0 1 0 0 0 1 1 0 0 0 0
// expect 0: 0 0 0 0 0 0 1 0 0
// expect 2: 23
// launch: -k life -g 5,5 -l 5,5 -a rand:25:2283:0:1 -a 0 -a zero:1
// expect 2: 11
// launch: -k life -g 16,16 -l 16,16 -a rand:256:2284:0:1 -a 8 -a zero:1
// expect 0: 0 0 0 0 0 1 1 0 0 0 0 0 0 0 1 0 0 0 0 1 1 1 1 1 1 0 0 0 0 0 1 1 0 0 1 1 1 1 0 0 1 0 0 0 0 0 0 0 0 0 1 0 0 0
// expect 0: 0 1 1 1 0 0 0 0 0 0 0 0 1 1 0 0 0 0 0 0 1 1 1 0 0 0 0 0 1 1 0 0 0 1 1 0 0 0 1 1 0 0 0 0 1 1 0 0 0 1 1 0 1 0
// expect 0: 1 0 1 0 1 1 1 1 0 1 0 0 1 0 0 0 0 1 0 1 1 1 0 0 0 1 1 1 0 0 0 0 1 0 0 0 1 0 0 0 1 0 1 0 1 1 1 1 0 1 0 0 0 1
// expect 0: 0 0 1 0 0 1 0 1 0 1 0 0 1 0 0 1 0 0 0 0 0 0 0 0 0 0 1 0 0 1 1 0 1 0 1 0 0 0 0 0 0 0 0 0 0 0 1 0 1 1 1 0 0 0
// expect 0: 0 0 0 0 0 0 1 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 1 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1
// expect 2: 82

__kernel void life(__global uchar *cells, int generations, __global int *alive)
{
    __local uchar plane[2][256];
    __local int living;
    const int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);
    const int at = y * w + x, up = (y + h - 1) % h * w, down = (y + 1) % h * w, row = y * w;
    const int left = (x + w - 1) % w, right = (x + 1) % w;
    plane[0][at] = cells[at];
    if (at == 0)
        living = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int g = 0; g < generations; g++) {
        __local const uchar *old = plane[g & 1];
        const int around = old[up + left] + old[up + x] + old[up + right] + old[row + left] + old[row + right] + old[down + left] + old[down + x] + old[down + right];
        plane[~g & 1][at] = around == 3 || (around == 2 && old[at]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    cells[at] = plane[generations & 1][at];
    if (plane[generations & 1][at])
        atomic_inc(&living);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (at == 0)
        *alive = living;
}
