// Boxes of a volume reduced by groups of three dimensions, with a global offset
// and sides that are no powers of two; lanes carry a weighted sum and a mix.
//
// launch: -k boxes -g 6,4,6 -l 3,2,3 --offset 0,0,0 -a rand:144:2541:0:255 -a local:144 -a zero:8
// expect 2: 4375 2012 13054 1628 4044 2652 9484 5948 3510 11088 11052 6856 4707 40704 11686 25120
// launch: -k boxes -g 5,3,2 -l 5,3,2 --offset 7,2,9 -a rand:30:2542:0:255 -a local:240 -a zero:1
// expect 2: 40790 436224
// launch: -k boxes -g 2,3,2 -l 1,1,1 --offset 1,0,3 -a rand:12:2543:0:255 -a local:8 -a zero:12
// expect 2: 10 40 678 1808 490 3920 501 2672 194 3104 447 4768 488 3904 636 3392 428 6848 342 3648 202 6464 48 1024
// launch: -k boxes -g 8,8,4 -l 8,8,4 --offset 0,5,0 -a rand:256:2544:0:255 -a local:2048 -a zero:1
// expect 2: 136016 2049504

__kernel void boxes(__global const uchar *in, __local int2 *t, __global int2 *out)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int ix = x - get_global_offset(0), iy = y - get_global_offset(1), iz = z - get_global_offset(2);
    const int l = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    const int n = get_local_size(0) * get_local_size(1) * get_local_size(2);
    const int v = in[(iz * get_global_size(1) + iy) * get_global_size(0) + ix];
    t[l] = (int2)(v * (x + 1), v << ((y + z) % 16));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < n; step *= 2) {
        if (l % (2 * step) == 0 && l + step < n) {
            const int2 other = t[l + step];
            t[l] = (int2)(t[l].x + other.x, t[l].y ^ other.y);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[(get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)] = t[0];
}
