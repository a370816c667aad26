// Seven points in one dimension: the first work-items of a group also load the
// halo on both sides; the ends repeat their last element.
//
// launch: -k smooth -g 64 -l 16 -a rand:53:2251:-100:100 -a 53 -a local:88 -a zero:53
// expect 3: -26 36 398 -286 -390 -1053 -37 239 -881 -683 -597 -76 -384 317 318 1297 -271 -412 -298 -6 -809 -745 -530
// expect 3: 377 416 -235 382 -427 -326 622 846 -401 -285 -982 -667 1031 1344 44 595 783 -439 -12 790 512 349 1631 502
// expect 3: -827 -486 1306 1433 182 -701
// launch: -k smooth -g 4 -l 1 -a rand:4:2252:-100:100 -a 4 -a local:28 -a zero:4
// expect 3: -815 -834 -445 -211
// launch: -k smooth -g 256 -l 256 -a rand:200:2253:-100:100 -a 200 -a local:1048 -a zero:200
// expect 3: 423 -1018 -166 44 -277 -275 683 -223 -1353 -266 -230 1118 -79 124 359 400 289 352 104 -428 -65 -66 -338
// expect 3: -337 -622 1093 398 -7 -404 -487 -1089 -450 42 678 -261 -223 -352 305 433 923 -762 -708 -57 -105 -679 -1042
// expect 3: -1005 -195 1042 445 -718 -873 -165 -808 -354 266 455 13 -55 -964 -1164 -48 476 692 -662 249 896 474 -16 -38
// expect 3: -635 -1102 128 951 1125 978 1192 1362 254 -738 148 406 -158 -202 264 1086 1 63 -30 502 -643 1000 474 218
// expect 3: 633 1384 -758 16 -390 207 -155 1140 9 -675 -615 379 842 -34 155 -337 49 -269 -448 -1513 -969 629 759 -1052
// expect 3: -943 -629 176 -620 257 -1102 62 639 855 -1189 -723 424 939 75 -454 -290 -547 -478 -738 -459 -865 -613 -1270
// expect 3: -558 -629 -773 -549 279 -744 -615 -245 -481 -946 573 808 -1088 -1157 -117 -210 -166 1399 698 -725 -832 1425
// expect 3: 483 -498 -15 561 -729 -1240 144 -97 -523 -742 -569 -478 649 629 67 -615 76 1012 312 -302 177 672 -1506 -312
// expect 3: 200 1170 -480 -282 -234 1583 476 499 790 1604 1084 1173 1183
// launch: -k smooth -g 10 -l 5 -a rand:10:2254:-100:100 -a 10 -a local:44 -a zero:10
// expect 3: 369 -285 -981 -1445 431 -95 -315 571 1367 -457

#define RADIUS 3

__constant int weight[2 * RADIUS + 1] = { 1, -3, 5, 8, 5, -3, 1 };

__kernel void smooth(__global const int *in, int n, __local int *t, __global int *out)
{
    const int l = get_local_id(0), size = get_local_size(0), i = get_global_id(0);
    const int first = (int)get_group_id(0) * size;
    for (int k = l; k < size + 2 * RADIUS; k += size)
        t[k] = in[clamp(first + k - RADIUS, 0, n - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n)
        return;
    int sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += weight[k] * t[l + k];
    out[i] = sum;
}
