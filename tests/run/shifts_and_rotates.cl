// Shifts by variable amounts of each width (OpenCL takes the amount modulo
// the width of the promoted left side), arithmetic against logical right
// shifts, and rotate() by negative and large counts.
//
// launch: -k shift -g 16 -l 4 -a rand:16:21 -a values:0,1,7,8,15,16,31,32,33,40,63,64,65,-1,-3,5 -a zero:16 -a zero:16 -a zero:16 -a zero:16 -a zero:64
// expect 2: -1209522745 1274915710 795041664 -1149910784 -1619755008 -2037448704 0 -468475439 2121208316 -1877095424
// expect 2: -2147483648 -238804031 1129229402 -2147483648 536870912 348660224
// expect 3: -1209522745 318728927 15777165 768885 6398 12153 -1 -468475439 -543439745 -4222947 0 -238804031
// expect 3: -791434474 -1 3 33894920
// expect 4: 3085444551 318728927 15777165 768885 6398 12153 1 3826491857 1604043903 12554269 0 4056163265 1356049174
// expect 4: 1 3 33894920
// expect 5: 489215147674969543 -781374996739036450 -68458488804622898 -25142510748976173 50723516846966
// expect 5: 128421926427573 -577161560 0 2590529480 -761810801529 -7018260882446138542 -8382950372963769407
// expect 5: -3162139240480658665 -5301155780468792806 708449208898884914 284335406173204999
// expect 6: 199 92 130 58 127 183 218 250 223 254 53 120 193 23 92 10 244 247 72 202 143 104 242 120 3 240 16 181 209
// expect 6: 29 58 138 253 31 241 240 204 193 220 98 173 202 139 95 193 60 66 10 90 197 234 110 229 222 157 219 48 83
// expect 6: 49 41 2 32 130 165

__kernel void shift(__global const long *v, __global const int *n, __global int *left, __global int *right, __global uint *logical, __global long *wide, __global uchar *bytes)
{
    int i = get_global_id(0);
    long x = v[i];
    int k = n[i];
    left[i] = (int)x << k;
    right[i] = (int)x >> k;
    logical[i] = (uint)x >> k;
    wide[i] = (x >> k) ^ (long)((ulong)x << k) ^ rotate(x, (long)k);
    bytes[4 * i + 0] = rotate((uchar)x, (uchar)k);
    bytes[4 * i + 1] = rotate((ushort)x, (ushort)k) >> 4;
    bytes[4 * i + 2] = rotate((uint)x, (uint)k) >> 12;
    char4 r = rotate((char4)(1, 2, -128, (char)x), (char4)(k, 1, 1, 3));
    bytes[4 * i + 3] = (uchar)(r.x ^ r.y ^ r.z ^ r.w);
}
