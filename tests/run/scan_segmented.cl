// Inclusive scan by segments within a group: pairs of value and head flag are
// doubled in place; the flags live in bytes. Each group also reports what it
// would carry over.
//
// launch: -k segmented -g 64 -l 16 -a rand:64:2031:-50:50 -a rand:64:2032:0:5 -a local:64 -a local:16 -a zero:64 -a zero:4
// expect 4: -4 20 4 17 67 88 -43 -52 25 67 91 131 175 145 -45 44 25 -24 -8 36 24 64 65 54 73 -16 36 82 50 8 -15 -54 42
// expect 4: 41 35 58 -3 31 17 0 28 75 57 76 37 53 48 72 -30 -43 -79 -38 -2 40 79 35 -12 -24 -26 -6 -12 -35 30 32
// expect 5: 44 1 -54 1 72 1 32 1
// launch: -k segmented -g 39 -l 13 -a rand:39:2033:-50:50 -a rand:39:2034:0:5 -a local:52 -a local:13 -a zero:39 -a zero:3
// expect 4: -37 -50 14 8 -4 -33 -41 -54 -41 -79 -119 -118 -3 -40 -25 -22 -16 17 6 22 3 45 33 58 3 28 -17 17 -7 -13 -55
// expect 4: 49 23 -9 21 50 83 125 86
// expect 5: -3 1 28 1 86 1
// launch: -k segmented -g 3 -l 1 -a rand:3:2035:-50:50 -a rand:3:2036:0:5 -a local:4 -a local:1 -a zero:3 -a zero:3
// expect 4: 40 -40 -49
// expect 5: 40 0 -40 0 -49 0
// launch: -k segmented -g 100 -l 100 -a rand:100:2037:-50:50 -a rand:100:2038:0:5 -a local:400 -a local:100 -a zero:100 -a zero:1
// expect 4: -12 16 12 16 56 48 86 -6 -34 -52 -30 20 -16 23 34 -16 -4 -22 -19 -48 -85 -37 -40 -32 7 5 -3 -47 -23 26 1
// expect 4: -21 -28 -72 -51 -46 -39 -37 -21 -60 -54 -79 -71 -48 2 17 38 60 97 77 73 8 26 -2 -34 -72 -96 -104 -58 36 -28
// expect 4: -55 -17 -4 -44 -46 -35 9 1 43 57 -32 -67 -80 -53 -81 -124 38 9 -3 -43 -5 -18 14 -22 13 5 -14 26 68 116 100
// expect 4: 67 98 62 104 77 39 -6 35
// expect 5: 35 1

__kernel void segmented(__global const int *in, __global const uchar *heads, __local int *value, __local uchar *head, __global int *out, __global int2 *carry)
{
    const uint l = get_local_id(0), size = get_local_size(0), g = get_global_id(0);
    value[l] = in[g];
    head[l] = heads[g] == 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint reach = 1; reach < size; reach <<= 1) {
        int add = 0;
        uchar flag = head[l];
        if (l >= reach && !flag) {
            add = value[l - reach];
            flag = head[l - reach];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        value[l] += add;
        head[l] = flag;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = value[l];
    if (l == size - 1)
        carry[get_group_id(0)] = (int2)(value[l], head[l]);
}
