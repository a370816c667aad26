// Out-of-bounds accesses to a private array in external memory.
//
// launch: -k k -g 8 -a zero:8 -a 4990
// expect 0: 14970 14977 14984 14991 15002 8 12 16

__kernel void k(__global int *out, int from)
{
    int i = get_global_id(0);
    int a[5000];
    for (int j = 0; j < 5000; j++)
        a[j] = 3 * j + i;
    a[i + 5000 + from] = 1;
    out[i] = a[from + 2 * i] + a[i - 4];
}
