// Helpers four deep, some inlined statically, some called from several
// places, with out-parameters and a kernel that calls another kernel.
//
// launch: -k outer -g 9 -l 3 -a rand:9:181:0:60 -a zero:9 -a zero:9
// expect 1: 3001957 4054960 1999973 4175102 3009317 4017772 4091165 2999925 3000637
// expect 2: 525 9081 416 7465 864 5334 5229 1637 101
// launch: -k inner -g 9 -l 9 -a rand:9:181:0:60 -a zero:9
// expect 1: 1957 54960 -27 175102 9317 17772 91165 -75 637

static inline int square(int x) { return x * x; }
int cube(int x) { return square(x) * x; }
int poly(int x) { return cube(x) - 3 * square(x + 1) + (x > 5 ? square(square(x)) % 1000 : cube(-x)); }

static void divide(int a, int b, int *q, int *r)
{
    *q = a / b;
    *r = a - *q * b;
}

int digits(int x, int *sum)
{
    int n = 0;
    *sum = 0;
    do {
        int d;
        divide(x, 10, &x, &d);
        *sum += square(d);
        n++;
    } while (x);
    return n;
}

__kernel void inner(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0);
    out[i] += poly(in[i]);
}

__kernel void outer(__global const int *in, __global int *out, __global int *sums)
{
    size_t i = get_global_id(0);
    int s, t;
    int n = digits(in[i], &s) + digits(s, &t);
    out[i] = 1000000 * n;
    inner(in, out);
    sums[i] = s * 100 + t;
}
