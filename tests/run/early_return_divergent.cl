// Work-items return at different depths; those that go on still write.
//
// launch: -k classify -g 24 -l 8 -a rand:24:3:-50:50 -a 20 -a fill:24:-1
// expect 2: -1 108 107 1 12 126 161 2 104 117 12 -1 13 12 146 1 12 102 15 -1 -1 -1 -1 -1

__kernel void classify(__global const int *in, int n, __global int *out)
{
    int id = get_global_id(0);
    if (id >= n)
        return;
    int x = in[id];
    if (x < 0) {
        if (x < -25) {
            out[id] = 1;
            return;
        }
        for (int d = 2; d < 8; d++)
            if (x % d == 0) {
                out[id] = 10 + d;
                return;
            }
        out[id] = 2;
        return;
    }
    if (x == 0)
        return;
    int r = 0;
    while (x) {
        if (x == 13)
            return;
        r = r * 3 + x % 3;
        x /= 3;
    }
    out[id] = 100 + r;
}
