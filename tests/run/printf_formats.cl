// printf of integers, floats, characters, strings, longs and vectors with
// widths, flags and precisions; only one work-item prints.
//
// launch: -k show -g 4 -l 2 -a -42 -a 3.14159 -a zero:4
// expect 2: 0 -42 -84 -126
// stdout: plain -42 42 ff BEEF 10
// stdout: width [  -42] [-42  ] [00007] [+7]
// stdout: float 3.141590 3.142 3.141590e+00 3.14159 1e+10
// stdout: fixed [    3.14] [3.14    ] [-0003.14]
// stdout: char acA literal %
// stdout: long -420000000000 18446744073709551615 fedcba9876543210
// stdout: vector 1,-2,3,-4 0.500000,-1.250000 1.00,2.00,3.00,0.25
// stdout: 0, 1, 4

__kernel void show(int n, float f, __global int *out)
{
    int i = get_global_id(0);
    out[i] = i * n;
    if (i != 2)
        return;
    printf("plain %d %u %x %X %o\n", n, 42u, 255, 48879, 8);
    printf("width [%5d] [%-5d] [%05d] [%+d]\n", n, n, 7, 7);
    printf("float %f %.3f %e %g %g\n", f, f, f, f, 1e10f);
    printf("fixed [%8.2f] [%-8.2f] [%08.2f]\n", f, f, -f);
    printf("char %c%c%c %s %%\n", 'a', 'b' + 1, 65, "literal");
    printf("long %ld %lu %lx\n", (long)n * 10000000000L, 18446744073709551615UL, 0xfedcba9876543210UL);
    printf("vector %v4hld %v2hlf %.2v4hlf\n", (int4)(1, -2, 3, -4), (float2)(0.5f, -1.25f), (float4)(1, 2, 3, 0.25f));
    for (int k = 0; k < 3; k++)
        printf("%d%s", k * k, k < 2 ? ", " : "\n");
}
