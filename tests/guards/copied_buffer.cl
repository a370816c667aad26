// Out-of-bounds reads of a small buffer that is copied to the chip: before it, behind it, and far away.
//
// launch: -k k -g 64 -a zero:64 -a values:3,1,4,1,5 -a 1
// expect 0: 3 30 10 45 11 54 1 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0

__kernel void k(__global int *out, __global const int *digits, int by)
{
    int i = get_global_id(0);
    int back = digits[7 - i], here = digits[i - by], far = digits[i * 100];
    out[i] = 10 * here + back + far;
}
