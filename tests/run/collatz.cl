// Longest Collatz chain start within each work-item's range, 64-bit values,
// with a peak as second result.
//
// launch: -k collatz -g 16 -l 4 -a 1000 -a 8 -a zero:16 -a zero:16
// expect 2: 1001 142 1008 111 1017 155 1028 124 1033 155 1041 124 1055 168 1060 124 1071 168 1078 49 1081 137 1095 75
// expect 2: 1097 137 1106 137 1113 137 1127 137
// expect 3: 39364 9232 118096 9232 10528 9232 250504 9232 12148 9232 24784 7396 11176 9232 17008 21688

__kernel void collatz(uint from, uint each, __global uint2 *longest, __global ulong *peaks)
{
    uint g = get_global_id(0), best = 0, at = 0;
    ulong peak = 0;
    for (uint s = from + g * each; s < from + (g + 1) * each; s++) {
        ulong x = s;
        uint n = 0;
        for (; x != 1; n++) {
            x = x & 1 ? 3 * x + 1 : x >> 1;
            if (x > peak)
                peak = x;
        }
        if (n > best) {
            best = n;
            at = s;
        }
    }
    longest[g] = (uint2)(at, best);
    peaks[g] = peak;
}
