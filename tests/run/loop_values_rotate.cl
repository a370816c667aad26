// Three values change places in each iteration, and a fourth one sums up.
//
// launch: -k take_turns -g 1 -a zero:4 -a 29
// expect 0: 4257355 20488305 31128406 17794580

__kernel void take_turns(__global uint *out, int n)
{
    uint a = 1, b = 2, c = 3, s = 0;
    for (int i = 0; i < n; i++) {
        uint t = a * 5 + 1;
        a = b;
        b = c ^ (t >> 3);
        c = t;
        s += a;
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = s;
}
