// Small tables that a work-item reads several times at places that depend on data: bytes, shorts, doubles and
// float4, under conditions, in loops, and with sizes that are no multiple of a line.
//
// launch: -k substituted -g 64 -l 16 -a rand:64:31:0:255 -a rand:256:32:0:255 -a zero:64
// expect 2: 154123696 1881938620 72057031 1346497416 -1042765567 -1733916 -1338040136 1733231420 -1937275519
// expect 2: 1589381453 -664757476 1119943121 -776173012 -1653351363 295748093 235207024 -1053433519 783793489
// expect 2: 1824538202 -1555938775 -1330519243 -1212074525 -434440949 573128258 543560150 -520064776
// expect 2: 1041724214 -2039294447 -2076071156 1111581246 -1056964789 490548083 1999550538 17415169
// expect 2: -820179209 1726759071 -1937275519 1983146352 11139772 -1134425099 468059777 450261606 -1447066386
// expect 2: -1299751877 1242096123 -1614156156 1769274441 388106497 -579848959 -2076071156 499112310
// expect 2: -134533880 -252639996 -1598434420 -227061279 -1445347381 -1681475834 -776173012 -1412097178
// expect 2: -1080406081 792455303 1949703033 1649506101 196575712
// launch: -k interpolated -g 40 -l 8 -a rand:40:33:-40:40 -a rand:37:34:-3000:3000 -a zero:40
// expect 2: 447 -2791 670 -7405 -8248 753 349 7428 0 447 -1979 -3428 -761 -7199 3861 -215 1233 5051 -2791
// expect 2: -7199 -558 -7199 7963 -215 -5639 3928 -3288 -558 0 1677 -5112 -140 -138 1451 -140 -2791 -5460
// expect 2: -5460 1305 -10965
// launch: -k polynomial -g 24 -l 8 -a rand:24:35:0:14 -a values:-9.25,-13.75,-11.75,-9.0,1.75,2.75,3.5,9.25,10.75,-3.5,-8.75,13.75,8.75,-13.75,-6.75 -a zero:24
// expect 2: 0 -120.0859375 220.28125 106.82498931884766 0 32.3248291015625 32.3248291015625 92.54931640625
// expect 2: 83.899658203125 -47.302734375 -123.32504272460938 83.899658203125 92.54931640625 0 -120.0859375
// expect 2: 220.28125 83.899658203125 32.3248291015625 32.3248291015625 220.28125 7.328125 0.84991455078125
// expect 2: 7.328125 -120.0859375
// launch: -k blended -g 32 -l 8 -a rand:32:37:0:8 -a values:-19,-20,5,-13,-20,-9,13,-5,-6,8,-20,-1,-17,-10,-17,-11,16,-14,-13,-7,2,15,-6,17,19,-17,-4,8,12,20,-2,-9,-18,-18,-1,13 -a zero:32
// expect 2: -1 -30 -20 32 60 35 -30 -20 60 -56 -1 10 32 -28 -26 -14 32 -28 -26 -14 60 35 -30 -20 -36 -52 15
// expect 2: -8 37 26 -8 38 60 35 -30 -20 -15 19 -49 -17 -1 -30 -20 32 -4 -36 -2 -46 -4 -36 -2 -46 -36 -52 15
// expect 2: -8 -36 -52 15 -8 60 -56 -1 10 60 35 -30 -20 60 35 -30 -20 -20 -49 -41 -46 32 -28 -26 -14 -15 19
// expect 2: -49 -17 -4 -36 -2 -46 -15 19 -49 -17 -1 -30 -20 32 -15 19 -49 -17 37 26 -8 38 -36 -52 15 -8 -15
// expect 2: 19 -49 -17 -4 -36 -2 -46 60 -56 -1 10 37 26 -8 38 37 26 -8 38

#pragma OPENCL FP_CONTRACT OFF

// A table of bytes.
__kernel void substituted(__global const uchar *x, __global const uchar *box, __global int *y)
{
    int i = get_global_id(0);
    int v = x[i];
    y[i] = box[v] | box[v ^ 0x5a] << 8 | box[255 - v] << 16 | (int)((uint)box[(v * 7) & 255] << 24);
}

// A table of 37 shorts, read under conditions.
__kernel void interpolated(__global const int *x, __global const short *table, __global int *y)
{
    int i = get_global_id(0);
    int v = x[i];
    int k = abs(v) % 36;
    int r = 0;
    if (v > 0)
        r = table[k] * 3 + table[k + 1];
    else if (v < -10)
        r = table[36 - k] - table[k];
    y[i] = r;
}

// Fifteen doubles, read in a loop.
__kernel void polynomial(__global const int *x, __global const double *c, __global double *y)
{
    int i = get_global_id(0);
    double r = 0;
    int n = x[i];
    for (int k = 0; k < n; k++)
        r = r * 0.5 + c[k] * c[14 - k];
    y[i] = r;
}

// Nine vectors.
__kernel void blended(__global const int *x, __global const float4 *table, __global float4 *y)
{
    int i = get_global_id(0);
    int v = x[i];
    y[i] = table[v] * 2.0f - table[8 - v] + table[4];
}
