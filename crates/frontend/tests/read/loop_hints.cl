// Every pragma and attribute for loops, each on a loop that stays one.
int sum_to(int n, __global const int *x)
{
    int sum = 0;
    #pragma ii 3
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

__kernel void hints(__global int *a, __global int *b, int n)
{
    #pragma ivdep
    for (int i = 0; i < n; i++)
        a[i] = a[i + n] + 1;
    #pragma ivdep array(a) safelen(4)
    #pragma ivdep array(b)
    #pragma max_concurrency 2
    for (int i = 0; i < n; i++)
        b[i] = a[i] + a[i + n];
    #pragma loop_coalesce 2
    #pragma disable_loop_pipelining
    for (int i = 0; i < n; i++)
        #pragma loop_coalesce
        for (int j = 0; j < i; j++)
            b[i] ^= a[j];
    __attribute__((xcl_pipeline_loop(2)))
    __attribute__((xcl_pipeline_workitems))
    do
        n -= b[n];
    while (n > 0);
    // Unrolled completely: nothing is left of it.
    #pragma ii 5
    #pragma unroll
    for (int i = 0; i < 2; i++)
        b[i] += sum_to(a[i], a);
    // Twice in one iteration, so its safe length is no longer known.
    #pragma unroll 2
    #pragma ivdep safelen(8)
    __attribute__((xcl_pipeline_loop))
    for (int i = 0; i < 100; i++)
        b[i] += a[b[i] & 127];
}
