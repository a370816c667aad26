// Whole groups return before any barrier or out of the loop around one, while
// other groups go on.
//
// launch: -k leave -g 42 -l 6 -a rand:42:2331:0:999 -a values:3,-1,0,9,1,-1,4 -a fill:42:-1
// expect 2: 5700 5703 5703 5703 5633 5700 -1 -1 -1 -1 -1 -1 5004 5554 5238 5161 5314 5636 941 758 758 941 941 941 5741
// expect 2: 5980 5980 5886 5555 5695 -1 -1 -1 -1 -1 -1 5625 5817 5817 5817 5717 5661
// launch: -k leave -g 3 -l 1 -a rand:3:2332:0:999 -a values:-1,2,7 -a fill:3:-1
// expect 2: -1 5121 288
// launch: -k leave -g 64 -l 64 -a rand:64:2333:0:999 -a values:2 -a fill:64:-1
// expect 2: 5372 5481 5781 5781 5326 5386 5386 5168 5670 5670 5574 5883 5977 5977 5323 5856 5856 5819 5502 5207 5552
// expect 2: 5552 5628 5736 5736 5669 5994 5994 5658 5986 5986 5270 5373 5866 5866 5838 5838 5252 5728 5746 5746 5898
// expect 2: 5898 5481 5955 5955 5481 5481 5382 5382 5242 5904 5904 5363 5553 5553 5524 5428 5428 5198 5943 5943 5747
// expect 2: 5747
// launch: -k leave -g 6 -l 3 -a rand:6:2334:0:999 -a values:-1,-1 -a fill:6:-1
// expect 2: -1 -1 -1 -1 -1 -1

__kernel void leave(__global const int *in, __global const int *keys, __global int *out)
{
    __local int t[64];
    const int l = get_local_id(0), n = get_local_size(0);
    const int key = keys[get_group_id(0)];
    if (key < 0)
        return;
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 5; r++) {
        if (r == key) {
            out[get_global_id(0)] = 5000 + t[l];
            return;
        }
        const int other = t[(l + 1) % n], mine = t[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = r % 2 == 0 ? max(mine, other) : other - r;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = t[l];
}
