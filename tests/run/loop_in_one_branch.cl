// A loop on one side of a branch, another one on the other side, and one behind both.
//
// launch: -k sides -g 8 -l 8 -a rand:8:3210:0:20 -a zero:8
// expect 1: 1639 8 51 56 56 0 1714 3564

__kernel void sides(__global const int *x, __global int *y)
{
    int g = get_global_id(0), v = x[g], s = v;
    if (v & 1) {
        for (int i = 0; i < v; i++)
            s = (s * 3 + i) & 4095;
    } else {
        while (s > 3)
            s -= 1 + s / 4;
    }
    for (int i = s & 3; i >= 0; i--)
        s += i * v;
    y[g] = s;
}
