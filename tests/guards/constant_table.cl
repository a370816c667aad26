// Out-of-bounds reads of an on-chip constant table.
//
// launch: -k k -g 8 -a zero:8 -a 1
// expect 0: 0 3 1 4 1 5 0 0

__constant int digits[5] = {3, 1, 4, 1, 5};

__kernel void k(__global int *out, int by)
{
    out[get_global_id(0)] = digits[(int)get_global_id(0) - by];
}
