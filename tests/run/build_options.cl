// Macros from the command line steer type, size and algorithm; the same
// source built in three ways.
//
// launch: -k run -D T=int -D N=4 -g 8 -l 4 -a iota:32 -a zero:8
// expect 1: 10 1680 42 43680 74 255024 106 863040
// launch: -k run -D T=float -D N=2 -D SCALE=0.5f -g 8 -l 2 -a iota:16 -a zero:8
// expect 1: 1.5 6 5.5 28 9.5 66 13.5 120
// launch: -k run -D T=ulong -D N=3 -D WEIGHTED -cl-std=CL1.2 -g 4 -l 4 -a iota:12 -a zero:4
// expect 1: 6 30 72 132

#ifndef SCALE
#define SCALE 1
#endif
#define CONCAT(a, b) a##b
#define MAKE(name, op, start) \
    T CONCAT(name, _all)(__global const T *v) { T r = start; for (int i = 0; i < N; i++) r = r op (v[i] + 1); return r; }

MAKE(sum, +, 0)
MAKE(product, *, 1)

__kernel void run(__global const T *in, __global T *out)
{
    size_t i = get_global_id(0);
#ifdef WEIGHTED
    out[i] = sum_all(in + N * i) * (i + 1);
#else
    out[i] = (i & 1 ? product_all(in + N * i) : sum_all(in + N * i)) * SCALE;
#endif
}
