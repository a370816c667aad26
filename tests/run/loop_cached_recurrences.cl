// Loops that wait for what iterations before have stored in the same buffer, at a place that only the launch tells or
// some iterations before: values come out of the cache.
//
// launch: -k unknown -g 1 -a iota:24 -a 3 -a 0
// expect 0: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k unknown -g 1 -a iota:24 -a 0 -a 1
// expect 0: 1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k unknown -g 1 -a iota:24 -a 5 -a 37
// expect 0: 18 19 20 21 22 17 18 19 20 21 22 17 18 19 20 21
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k unknown -g 1 -a iota:24 -a 1 -a 60
// expect 0: 8 9 10 11 12 13 14 15 16 17 18 19 18 19 18 17
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k two_loads -g 1 -a iota:24 -a 0 -a 37
// expect 0: 80 89 71 83 86 42 47 52 57 44 51 49 57 65 73 81
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k two_loads -g 1 -a iota:24 -a 3 -a 60
// expect 0: 304 376 431 273 292 370 226 207 271 523 441 529 250 149 159 228
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k three_loads -g 1 -a iota:24 -a 0 -a 37
// expect 0: 559 708 758 973 1197 213 246 279 332 302 385 477 582 687 792 897
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k three_loads -g 1 -a iota:24 -a 3 -a 60
// expect 0: 28380 36003 47488 37491 49846 64515 53476 60369 93270 152077 162082 185245 21580 15907 22418 28507
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k two_stores -g 1 -a iota:24 -a 0 -a 37
// expect 0: 0 0 0 0 0 0 39 42 45 81 90 99 108 117 126 135
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k two_stores -g 1 -a iota:24 -a 3 -a 60
// expect 0: 243 243 243 243 81 162 48 51 243 486 144 153 162 48 51 54
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k address -g 1 -a iota:24 -a 0 -a 37
// expect 0: 7 8 9 10 11 8 9 10 11 12 13 14 15 16 17 4
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k address -g 1 -a iota:24 -a 3 -a 60
// expect 0: 18 20 18 20 20 21 18 19 20 22 21 20 18 21 20 21
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k conditional -g 1 -a iota:24 -a 0 -a 37
// expect 0: 0 27 2 81 4 45 6 63 8 81 10 99 12 117 14 135
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k conditional -g 1 -a iota:24 -a 3 -a 60
// expect 0: 243 1053 297 1215 351 1377 405 117 459 135 39 153 45 13 51 15
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k bytes -g 1 -a iota:24 -a 3 -a 60
// expect 0: 182 195 208 221 234 247 4 174 74 230 171 202 137 125 131 137
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k floats -g 1 -a iota:24 -a 3 -a 60
// expect 0: 2.625 2.6875 2.75 2.8125 2.875 2.9375 3 3.75 3.875 4 5.5 5.75 6 9 9.5 10
// expect 0: 16 17 18 19 20 21 22 23
// launch: -k seven -g 1 -a iota:16 -a 60
// expect 0: 1023 1535 2047 383 511 639 767 895 255 511 767 1023 1279 1535 1791 511

__kernel void unknown(__global int *a, int o, int n)
{
    for (int i = 0; i < n; i++)
        a[i & 15] = a[(i & 15) + o] + 1;
}

__kernel void two_loads(__global int *a, int o, int n)
{
    for (int i = 0; i < n; i++)
        a[i & 15] = a[(i & 15) + o] + a[((i + 7) & 15) + o];
}

__kernel void three_loads(__global int *a, int o, int n)
{
    for (int i = 0; i < n; i++)
        a[i & 15] = a[(i & 15) + o] * 3 + a[((i + 7) & 15) + o] + a[(i & 7) + o];
}

__kernel void two_stores(__global int *a, int o, int n)
{
    for (int i = 0; i < n; i++) {
        int x = a[(i & 15) + o];
        a[i & 15] = x * 3;
        a[(i & 7) + 1 + o] = x;
    }
}

// The address of the second load is what the first one gives.
__kernel void address(__global int *a, int o, int n)
{
    for (int i = 0; i < n; i++)
        a[i & 15] = a[(a[(i & 15) + o] & 15) + o] + 1;
}

__kernel void conditional(__global int *a, int o, int n)
{
    for (int i = 0; i < n; i++) {
        int x = a[(i & 15) + o];
        if (x & 1)
            a[i & 15] = x * 3;
    }
}

__kernel void bytes(__global uchar *a, int o, int n)
{
    for (int i = 0; i < n; i++)
        a[i & 15] = a[(i & 15) + o] * 5 + i;
}

__kernel void floats(__global float *a, int o, int n)
{
    for (int i = 0; i < n; i++)
        a[i & 15] = a[(i & 15) + o] * 0.5f + 1.0f;
}

__kernel void seven(__global int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[(i + 7) & 15] = a[i & 15] * 2 + 1;
}
