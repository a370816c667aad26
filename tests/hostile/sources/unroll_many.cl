kernel void k(global const int *x, global int *out)
{
    int s = 0;
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 1000; i++)
        s += x[i * s] * x[i + s];
    out[0] = s;
}
