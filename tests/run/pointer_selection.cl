// Pointers chosen by ?:, by a switch and in a loop, between buffers and into
// one buffer; reads and writes go through the chosen pointer.
//
// launch: -k choose -g 12 -l 4 -a iota:12 -a rand:12:161:100:200 -a zero:24 -a zero:12
// expect 2: 318 0 325 0 716 0 219 0 538 0 478 0 0 0 0 0 0 0 -1 1 1 -1 1 1
// expect 3: 0 648 0 458 0 498 0 491 0 166 0 589

__kernel void choose(__global const int *a, __global const int *b, __global int *even, __global int *odd)
{
    int i = get_global_id(0);
    __global const int *src = i % 3 == 0 ? a : b;
    __global int *dst = i & 1 ? odd : even;
    __global const int *p;
    switch (i & 3) {
    case 0: p = src; break;
    case 1: p = src + 1; break;
    case 2: p = a + i; break;
    default: p = &b[11 - i];
    }
    int sum = *p;
    for (int k = 0; k < 5; k++) {
        __global const int *q = (sum + k) % 2 ? a : p == a ? b : src;
        sum += q[(i + k) % 12];
        p = q;
    }
    dst[i] = sum;
    if (i >= 6)
        even[12 + i] = p == b ? 1 : -1;
}
