// A struct passed by value to the kernel and to a helper that changes its
// copy, returned from another helper, with nested struct and array members.
//
// launch: -k shade -g 8 -l 2 -a words:0x3f800000,0x40000000,0x40400000,0x41200000,3,0xfffffffe,7,1 -a zero:8 -a zero:8
// expect 1: 18 53 28 43 38 33 48 23
// expect 2: 3 -4 21 28 -10 18 21 -16

#pragma OPENCL FP_CONTRACT OFF
typedef struct {
    float x, y;
} point;

typedef struct {
    point from, to;
    int weights[3];
    uint steps;
} segment;

point between(segment s, float t)
{
    point p;
    s.to.x -= s.from.x;
    s.to.y -= s.from.y;
    p.x = s.from.x + t * s.to.x;
    p.y = s.from.y + t * s.to.y;
    return p;
}

segment turned(segment s)
{
    segment r = s;
    r.from = s.to;
    r.to = s.from;
    for (int i = 0; i < 3; i++)
        r.weights[i] = s.weights[2 - i];
    return r;
}

__kernel void shade(segment s, __global float *out, __global int *w)
{
    int i = get_global_id(0);
    segment t = i % 2 ? turned(s) : s;
    point p = between(t, i * 0.125f);
    out[i] = p.x * 16.0f + p.y;
    w[i] = t.weights[i % 3] * (int)(t.steps + i);
}
