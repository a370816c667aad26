// A moving sum that adds what enters the window and subtracts what leaves it, in place behind the reads.
//
// launch: -k window -g 1 -a rand:40:3234:0:99 -a 40 -a 5
// expect 0: 283 322 347 371 353 321 287 293 282 275 259 281 237 270 244 313 337 402 352 351 295 296 238 286 275 324
// expect 0: 271 281 231 212 204 201 222 202 216 231 50 27 31 98
// launch: -k window -g 1 -a rand:12:3235:0:99 -a 12 -a 12
// expect 0: 678 20 44 58 63 96 86 69 33 93 61 46

__kernel void window(__global int *a, int n, int w)
{
    int s = 0;
    for (int i = 0; i < w; i++)
        s += a[i];
    for (int i = 0; i + w <= n; i++) {
        int leaving = a[i];
        a[i] = s;
        if (i + w < n)
            s += a[i + w] - leaving;
    }
}
