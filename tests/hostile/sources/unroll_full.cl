kernel void k(global const int *x, global int *out)
{
    int s = 0;
    #pragma unroll
    for (int i = 0; i < 30000; i++)
        s += x[i] * x[i + s];
    out[0] = s;
}
