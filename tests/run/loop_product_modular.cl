// Products modulo a prime through a value and through memory.
//
// launch: -k powers -g 1 -a values:3,5,7,11 -a zero:20 -a 20
// expect 0: 79 25 12 28
// expect 1: 3 15 105 1155 11550 26027 34052 6330 39535 41554 19308 13604 53307 47822 12771 34981 9429 34553 19528
// expect 1: 32641

__kernel void powers(__global uint *base, __global uint *out, int n)
{
    uint p = 1;
    for (int i = 0; i < n; i++) {
        p = p * base[i & 3] % 65521;
        out[i] = p;
        base[i & 3] = (base[i & 3] * p + 1) % 101;
    }
}
