// Narrow types promote to int, results are stored back narrow: wraparound of
// chars and shorts, unsigned overflow of int and long, compound assignments.
//
// launch: -k wrap -g 16 -l 8 -a rand:16:11 -a rand:16:12 -a zero:16 -a zero:16 -a zero:16 -a zero:16
// expect 2: -103 -28 -125 -24 -88 -50 -10 -126 66 112 -46 -123 -127 -107 56 -84
// expect 3: 52707 16887 7907 5008 860 2162 53884 9126 50874 59830 61088 60611 9509 21197 37495 34632
// expect 4: 3843067948 1365138928 4224756532 1524918989 2672790369 1717951582 902466831 1511159661 218623041
// expect 4: 683138596 3270427055 2284683068 3063249146 3902180522 2444051408 1524544329
// expect 5: 2893850664591425536 6844487765833285632 4827577325564461056 15907276833826013184 12924856359792688880
// expect 5: 1498867892040040448 7044852199259635712 18006130182041108480 3801038085500698624 5531748552457322496
// expect 5: 12394886058427285504 18091324667993260032 15204511188214335488 4882144342587195112 441803286306570
// expect 5: 6341068275337658368

__kernel void wrap(__global const uint *a, __global const ulong *b, __global char *c, __global ushort *s, __global uint *u, __global ulong *l)
{
    size_t i = get_global_id(0);
    uchar x = a[i] & 0xff, y = (a[i] >> 8) & 0xff;
    char sx = (char)x, sy = (char)y;
    char t = sx;
    t += sy;
    t *= 3;
    t = -t;
    c[i] = t ^ (char)(x + y > 255) ^ (char)((uchar)(x + y) > 250);

    ushort h = x * y;
    h += 40000;
    h = h << 3;
    h -= sx;
    s[i] = h;

    uint w = a[i] * 2654435761u;
    w += w << 13;
    w -= sy;
    u[i] = w * (ushort)~h;

    ulong d = b[i];
    d *= 6364136223846793005UL;
    d += (long)sx;
    d -= (uint)w;
    l[i] = d << (x & 63);
}
