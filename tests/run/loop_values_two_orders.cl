// Fibonacci and a recurrence of third order side by side, with values of the last two iterations stored.
//
// launch: -k fibonacci -g 1 -a zero:24
// expect 0: 0 3 1 10 1 34 2 125 3 453 5 1643 8 5960 13 21619 21 12884 34 22314 55 48793 89 7283

__kernel void fibonacci(__global uint *out)
{
    uint a = 0, b = 1, u = 1, v = 1, w = 2;
    for (int i = 0; i < 12; i++) {
        out[2 * i] = a;
        out[2 * i + 1] = u + w;
        uint next = a + b;
        a = b;
        b = next;
        uint third = (u + 2 * v + 3 * w) & 0xffff;
        u = v;
        v = w;
        w = third;
    }
}
