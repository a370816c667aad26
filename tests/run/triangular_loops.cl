// Irregular nested loops: each bound depends on the enclosing counters and on
// the work-item, with a break in the middle level.
//
// launch: -k triangle -g 13 -l 13 -a zero:13 -a zero:13
// expect 0: 1 1 31 29835 3669217116 682085084 1914880544 1925613476 3898043770 1292888051 632542883 637055246
// expect 0: 57374598
// expect 1: 0 0 1 3 8 12 19 19 29 31 34 34 70

__kernel void triangle(__global uint *out, __global ushort *trips)
{
    uint g = get_global_id(0);
    uint acc = 1;
    ushort count = 0;
    for (uint i = 0; i <= g; i++)
        for (uint j = i; j < g; j += i + 1) {
            if (((acc >> 3) & 7) == 5 && j > i + 2)
                break;
            for (uint k = j; k > i; k--) {
                acc = acc * 31u + (i ^ j ^ k);
                count++;
            }
            acc ^= acc >> 7;
        }
    out[g] = acc;
    trips[g] = count;
}
