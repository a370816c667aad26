// Every comparison over NaN, infinities, both zeros and denormals, as
// operators, as relational functions and as vectors (where true is -1).
//
// launch: -k compare -g 9 -l 3 -a values:nan,inf,-inf,0,-0.0,1e-45,1,-1,3.5 -a zero:81 -a zero:9
// expect 1: 6690 6690 6690 14882 14882 6690 6690 6690 6690 6690 5257 7570 15762 15762 7570 7570 7570 7570 6690 7534
// expect 1: 5257 15726 15726 7534 7534 7534 7534 2594 3438 3474 9353 9353 3438 3438 3474 3438 2594 3438 3474 9353
// expect 1: 9353 3438 3438 3474 3438 6690 7534 7570 15762 15762 5257 7534 7570 7534 6690 7534 7570 15762 15762 7570
// expect 1: 5257 7570 7534 6690 7534 7570 15726 15726 7534 7534 5257 7534 6690 7534 7570 15762 15762 7570 7570 7570
// expect 1: 5257
// expect 2: -4040404 -10040108 -8040801 -8041010 -8041010 -8040108 -8040108 -8040801 -8040108

__kernel void compare(__global const float *v, __global ushort *out, __global int *vec)
{
    int i = get_global_id(0);
    float x = v[i];
    for (int j = 0; j < 9; j++) {
        float y = v[j];
        ushort f = 0;
        f |= (x == y) << 0;
        f |= (x != y) << 1;
        f |= (x < y) << 2;
        f |= (x <= y) << 3;
        f |= (x > y) << 4;
        f |= !(x >= y) << 5;
        f |= isless(x, y) << 6;
        f |= isgreaterequal(x, y) << 7;
        f |= islessgreater(x, y) << 8;
        f |= isunordered(x, y) << 9;
        f |= isordered(x, y) << 10;
        f |= isnotequal(x, y) << 11;
        if (x)
            f |= 1 << 12;
        if (!y)
            f |= 1 << 13;
        out[9 * i + j] = f;
    }
    float4 a = (float4)(x, 0.0f, NAN, INFINITY), b = (float4)(0.0f, x, x, x);
    int4 r = (a < b) + 2 * (a == b) + 4 * isunordered(a, b) + 8 * (a >= b);
    vec[i] = r.x + 100 * r.y + 10000 * r.z + 1000000 * r.w;
}
