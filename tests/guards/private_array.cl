// Out-of-bounds accesses to a private array: the memory after it belongs to another work-item.
//
// launch: -k k -g 8 -a zero:8 -a 3
// expect 0: 0 22 45 31 43 54 65 76

__kernel void k(__global int *out, int by)
{
    int i = get_global_id(0);
    int a[7];
    for (int j = 0; j < 7; j++)
        a[j] = 10 * i + j;
    a[i + by] = -1;
    out[i] = a[2 * i] + a[i - 1];
}
