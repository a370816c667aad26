// Histograms of four channels by atomics in global memory; all lanes of a pixel
// at once, with work-items beyond the end.
//
// launch: -k channels -g 80 -l 16 -a rand:77:2091 -a 77 -a zero:32
// expect 2: 13 7 11 16 4 13 6 7 7 4 12 15 7 6 8 18 7 10 10 12 11 13 6 8 12 12 8 12 13 7 6 7
// launch: -k channels -g 9 -l 3 -a rand:5:2092 -a 5 -a zero:32
// expect 2: 0 0 1 1 1 2 0 0 1 0 2 0 1 0 0 1 1 0 1 0 1 1 0 1 1 0 1 0 2 1 0 0
// launch: -k channels -g 256 -l 256 -a rand:256:2093 -a 256 -a zero:32
// expect 2: 32 26 36 30 31 45 21 35 27 29 33 37 31 32 26 41 41 38 24 27 39 28 32 27 34 30 32 42 38 32 23 25

__kernel void channels(__global const uchar4 *pixels, uint n, __global uint *bins)
{
    const uint i = get_global_id(0);
    if (i >= n)
        return;
    const uint4 bin = convert_uint4(pixels[i] >> (uchar)5) + (uint4)(0, 8, 16, 24);
    atomic_inc(bins + bin.x);
    atomic_inc(bins + bin.y);
    atomic_inc(bins + bin.z);
    atomic_inc(bins + bin.w);
}
