// Out-of-bounds accesses to a local array: the memory after it belongs to the next work-group.
//
// launch: -k k -g 32 -l 16 -a zero:32 -a 10
// expect 0: 100 102 104 106 108 110 6 7 8 9 100 101 102 103 104 105 100 102 104 106 108 110 6 7 8 9 100 101 102 103 104 105
// launch: -k k -g 32 -l 16 -a zero:32 -a -1000000
// expect 0: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15

__kernel void k(__global int *out, int off)
{
    __local int s[16];
    int l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l + off] = 100 + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[l] + s[l + off];
}
