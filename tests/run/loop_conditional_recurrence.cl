// A maximum with its place, a counter that resets, and a value that changes in one of three ways.
//
// launch: -k scan -g 1 -a rand:40:3118:-20:20 -a zero:4
// expect 1: 20 18 3 227

__kernel void scan(__global const int *x, __global int *out)
{
    int best = -1000, at = -1, run = 0, longest = 0, state = 1;
    for (int i = 0; i < 40; i++) {
        int v = x[i];
        if (v > best) {
            best = v;
            at = i;
        }
        run = v < 0 ? 0 : run + 1;
        longest = max(longest, run);
        if (v & 1)
            state = (state * 3 + v) & 255;
        else if (v > 5)
            state ^= v;
        else
            state = (state + 1) & 255;
    }
    out[0] = best;
    out[1] = at;
    out[2] = longest;
    out[3] = state;
}
