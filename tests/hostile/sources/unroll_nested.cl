kernel void k(global const int *x, global int *out)
{
    int s = 0;
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 300; i++) {
        __attribute__((opencl_unroll_hint))
        for (int j = 0; j < 300; j++)
            s += x[i * j] * x[i + s];
    }
    out[0] = s;
}
