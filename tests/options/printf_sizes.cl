// printf of sizes and of strings that are null. The length modifiers of C beyond
// OpenCL's are those of 64 bits.
//
// launch: -k sizes -g 1 -l 1 -a 3 -a zero:1 -w
// expect 1: 3
// stdout: [3] [-3] [18446744073709551613] [fffffffffffffffd]
// stdout: [8589934592] [-8589934592] [8589934592]
// stdout: [(null)] [    (null)] [(nu] [three]

__kernel void sizes(int n, __global int *out)
{
    const size_t size = n;
    printf("[%zu] [%zi] [%zu] [%zx]\n", size, -(long)size, -size, -size);
    printf("[%llu] [%jd] [%td]\n", 1UL << 33, -(1L << 33), 1L << 33);
    __constant char *none = 0;
    printf("[%s] [%10s] [%.3s] [%s]\n", none, none, none, n == 3 ? "three" : none);
    *out = n;
}
