// A private table whose elements are updated by index from memory, then walked by its own contents.
//
// launch: -k table -g 3 -l 3 -a rand:60:3117:0:15 -a zero:6
// expect 1: 1 8 5 6 4 7

__kernel void table(__global const int *x, __global int *y)
{
    int t[16];
    int g = get_global_id(0);
    for (int i = 0; i < 16; i++)
        t[i] = (i * 5 + g) & 15;
    for (int i = 0; i < 20; i++) {
        int at = x[g * 20 + i];
        t[at] = (t[at] * 3 + i) & 15;
    }
    int p = g, steps = 0;
    for (int i = 0; i < 30 && t[p] != p; i++) {
        int next = t[p];
        t[p] = p;
        p = next;
        steps++;
    }
    y[2 * g] = p;
    y[2 * g + 1] = steps;
}
