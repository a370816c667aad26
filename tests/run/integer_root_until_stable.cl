// Newton's iteration for integer square roots: the end depends on the values alone.
//
// launch: -k roots -g 6 -l 3 -a values:0,1,2,99,1000000,4294967295 -a zero:12
// expect 1: 0 0 1 0 2 0 9 5 1000 12 65535 20

__kernel void roots(__global const uint *x, __global uint *out)
{
    int g = get_global_id(0);
    uint v = x[g], r = v, steps = 0;
    if (v > 1) {
        uint next = v / 2 + 1;
        while (next < r) {
            r = next;
            next = (r + v / r) / 2;
            steps++;
        }
    }
    out[2 * g] = r;
    out[2 * g + 1] = steps;
}
