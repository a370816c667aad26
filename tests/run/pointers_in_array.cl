// Pointers kept in private arrays and reached through a pointer to pointer:
// a three-way merge of sorted runs in global memory.
//
// launch: -k merge3 -g 2 -l 1 -a values:1,4,9,12,2,3,5,20,0,6,7,8,10,30,50,70,15,15,15,15,11,12,13,14 -a zero:24
// expect 1: 0 1 2 3 4 5 6 7 8 9 12 20 10 11 12 13 14 15 15 15 15 30 50 70

static __global const int **smallest(__global const int **heads, __global const int *const *ends)
{
    __global const int **best = 0;
    for (int k = 0; k < 3; k++)
        if (heads[k] != ends[k] && (best == 0 || *heads[k] < **best))
            best = &heads[k];
    return best;
}

__kernel void merge3(__global const int *runs, __global int *out)
{
    int g = get_global_id(0);
    __global const int *heads[3], *ends[3];
    for (int k = 0; k < 3; k++) {
        heads[k] = runs + g * 12 + 4 * k;
        ends[k] = heads[k] + 4;
    }
    __global int *o = out + 12 * g;
    __global const int **next;
    while ((next = smallest(heads, ends)) != 0)
        *o++ = *(*next)++;
}
