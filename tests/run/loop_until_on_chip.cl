// Exits that depend on private and local arrays and on a table, whose subscripts leave them in iterations that are
// not needed any more; behind each loop, what it has written is read.
//
// launch: -k stacks -g 1 -a 1 -a zero:12
// expect 1: 1 1 0 4 0 0 0 0 0 0 0 0
// launch: -k stacks -g 1 -a 77 -a zero:12
// expect 1: 2 8 1 69 57 53 35 25 23 15 0 0
// launch: -k stacks -g 1 -a 12345 -a zero:12
// expect 1: 5 8 1 158 129 120 71 47 43 24 0 0
// launch: -k stacks -g 1 -a 4000000000 -a zero:12
// expect 1: 10 8 1 310 250 230 140 90 80 40 0 0

__constant uchar steps[8] = {3, 1, 4, 1, 5, 9, 2, 6};

__kernel void stacks(uint value, __global uint *out)
{
    uint d[10];
    __local uint l[8];
    uint n = 0, k = 0, sum = 0, rest = value, at = 3;
    do {
        d[n++] = rest % 10;
        rest /= 10;
    } while (rest != 0);
    do {
        sum += steps[k];
        l[k++] = sum * n;
    } while (sum < min(value, 31u));
    uint j = k;
    do {
        j--;
        out[at++] = l[j] + d[j % n];
    } while (j != 0 && l[j] >= 5 * n);
    out[0] = n;
    out[1] = k;
    out[2] = j;
}
