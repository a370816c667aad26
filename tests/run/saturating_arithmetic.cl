// add_sat and sub_sat of every width at and around the extremes, mad_sat, and
// vector forms.
//
// launch: -k saturate -g 9 -l 3 -a values:0,127,-128,100,-100,127,-128,1,-1 -a values:0,1,-1,100,-100,-128,127,-1,-128 -a zero:36 -a zero:36 -a zero:36 -a zero:36
// expect 2: 0 0 0 0 127 126 -128 126 -128 -127 -1 0 127 0 -56 0 -128 0 -1 0 -1 127 -1 0 -1 -128 -1 1 0 2 -1 0 -128
// expect 2: 127 -1 127
// expect 3: 127 -300 127 127 32767 -44 32383 32383 -32768 -556 -32385 0 32767 25300 127 127 -32768 -25900 127 127
// expect 3: -129 -32768 32767 0 -129 32212 -32768 383 127 -556 639 0 -32768 -32768 32639 32639
// expect 4: 0 0 0 0 2147483647 2113929216 -2147483648 2147483647 -2147483648 -2130706432 -1 2130706432 2147483647 0
// expect 4: -939524096 2147483647 -2147483648 0 -1 2147483647 -16777216 2147483647 -16777216 -2147483648 -16777216
// expect 4: -2147483648 -16777216 -2147483648 0 33554432 -1 -33554432 -2147483648 2130706432 -1 0
// expect 5: 0 0 0 0 9223372036854775807 9079256848778919936 -9223372036854775808 9079256848778919936
// expect 5: -9223372036854775808 -9151314442816847872 -1 0 9223372036854775807 0 -4035225266123964416 0
// expect 5: -9223372036854775808 0 -1 0 -72057594037927936 9223372036854775807 -72057594037927936 0
// expect 5: -72057594037927936 -9223372036854775808 -72057594037927936 72057594037927936 0 144115188075855872 -1 0
// expect 5: -9223372036854775808 9151314442816847872 -1 9151314442816847872

__kernel void saturate(__global const char *a, __global const char *b, __global char *c, __global short *s, __global int *i, __global long *l)
{
    int g = get_global_id(0);
    char x = a[g], y = b[g];
    uchar ux = as_uchar(x), uy = as_uchar(y);
    c[4 * g + 0] = add_sat(x, y);
    c[4 * g + 1] = sub_sat(x, y);
    c[4 * g + 2] = as_char(add_sat(ux, uy));
    c[4 * g + 3] = as_char(sub_sat(ux, uy));

    short xs = x * 256 + 127, ys = y * 256;
    short2 both = add_sat((short2)(xs, ys), (short2)(ys, -300));
    s[4 * g + 0] = both.x;
    s[4 * g + 1] = both.y;
    s[4 * g + 2] = sub_sat(xs, ys);
    s[4 * g + 3] = as_short(sub_sat(as_ushort(xs), as_ushort(ys)));

    int xi = x * 0x01000000, yi = y * 0x01000000;
    i[4 * g + 0] = add_sat(xi, yi);
    i[4 * g + 1] = sub_sat(xi, yi);
    i[4 * g + 2] = as_int(add_sat(as_uint(xi), as_uint(yi)));
    i[4 * g + 3] = mad_sat(xi, (int)y, yi);

    long xl = (long)x << 56, yl = (long)y << 56;
    l[4 * g + 0] = add_sat(xl, yl);
    l[4 * g + 1] = sub_sat(xl, yl);
    l[4 * g + 2] = as_long(add_sat(as_ulong(xl), as_ulong(yl)));
    l[4 * g + 3] = as_long(sub_sat(as_ulong(xl), as_ulong(yl)));
}
