// Division and remainder of every signed width, truncating toward zero, with
// negative operands and the extremes; divisors are never zero and never -1
// with the minimum.
//
// launch: -k divide -g 12 -l 3 -a values:7,-7,7,-7,-128,127,-128,100,0,-1,-100,99 -a values:2,2,-2,-2,3,-128,127,-7,-5,2,-100,100 -a zero:24 -a zero:24 -a zero:24 -a zero:24
// expect 2: 3 1 -3 -1 -3 1 3 -1 -42 -2 0 127 -1 -1 -14 2 0 0 0 -1 1 0 0 99
// expect 3: 892 1 -892 -1 -892 1 892 -1 -10880 0 -253 1 -257 -1 -3642 6 0 0 -127 -1 255 0 252 45
// expect 4: 58661 1190 -58661 -1190 -58661 1190 58661 -1190 -715112 -2312 -16629 65920 -16892 -54364 -239435 555 0 0
// expect 4: -8380 -456 16760 -45600 16592 85184
// expect 5: 252201577 734685819 -252201577 -734661129 -252201577 734685819 252201577 -734661129 -3074457324
// expect 5: -291159659 -71494643 74757660089 -72624976 -20291159799 -1029394193 2352490488 0 12345 -36028796
// expect 5: -1533512447 72057593 -53352466155 71337017 59818966109

__kernel void divide(__global const char *a, __global const char *b, __global char *c, __global short *s, __global int *i, __global long *l)
{
    int id = get_global_id(0);
    char n8 = a[id], d8 = b[id];
    c[2 * id] = n8 / d8;
    c[2 * id + 1] = n8 % d8;
    short n16 = n8 * 255, d16 = d8;
    s[2 * id] = n16 / d16;
    s[2 * id + 1] = n16 % d16;
    int n32 = n8 * 16777216, d32 = d8 * 1001;
    i[2 * id] = n32 / d32;
    i[2 * id + 1] = n32 % d32;
    long n64 = (long)n8 * 0x0100000000000000L + 12345, d64 = (long)d8 * 1000000007L;
    l[2 * id] = n64 / d64;
    l[2 * id + 1] = n64 % d64;
}
