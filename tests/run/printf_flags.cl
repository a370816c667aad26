// printf once more: flags and precisions of integers, short and char lengths,
// scientific and general floats, infinities and NaN, strings with precision.
//
// launch: -k flags -g 1 -l 1 -a 48879 -a 1234.5 -a zero:1
// expect 2: 48879
// stdout: [0xbeef] [010] [    beef] [beef    ] [0000BEEF]
// stdout: [ 5] [   +5] [0005] [   005] [-5]
// stdout: [-2] [-3] [65535] [255]
// stdout: [1.234500e+03] [1.2E+03] [1E-05] [100000] [1e+06]
// stdout: [inf] [-inf] [  2.5] [3]
// stdout: [     right] [left  ] [tru]
// stdout: 100% ok
// stdout: 1,2,3,255|1,-2,3,-4,5,-6,7,-8|1,-1

__kernel void flags(uint n, float f, __global int *out)
{
    printf("[%#x] [%#o] [%8x] [%-8x] [%08X]\n", n, 8u, n, n, n);
    printf("[% d] [%+5d] [%.4d] [%6.3d] [%i]\n", 5, 5, 5, 5, -5);
    printf("[%hd] [%hhd] [%hu] [%hhu]\n", (short)-2, (char)-3, (ushort)65535, (uchar)255);
    printf("[%e] [%.1E] [%G] [%g] [%g]\n", f, f, 0.00001f, 100000.0f, 1e6f);
    printf("[%f] [%f] [%5.1f] [%.0f]\n", INFINITY, -INFINITY, 2.5f, 3.0f);
    printf("[%10s] [%-6s] [%.3s]\n", "right", "left", "truncated");
    printf("100%% %c%c\n", 'o', 'k');
    printf("%v4hhu|%v8hd|%v2ld\n", (uchar4)(1, 2, 3, 255), (short8)(1, -2, 3, -4, 5, -6, 7, -8), (long2)(1, -1));
    *out = n;
}
