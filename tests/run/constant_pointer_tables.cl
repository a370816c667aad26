// Constant tables of addresses: of tables, of places within them, of strings, in
// structures, of tables of addresses, null, and copied to private memory.
//
// launch: -k arrays -g 6 -a values:0,1,2,0,1,2 -a values:0,3,1,2,1,0 -a zero:6
// expect 2: 1 40 40 3 20 30
// launch: -k structures -g 6 -a zero:6
// expect 0: 117 136 0 117 136 0
// launch: -k private_arrays -g 6 -a iota:6 -a zero:6
// expect 1: 6 15 12 9 14 11
// launch: -k nested -g 4 -a zero:4
// expect 0: 711 586 703 587
// stdout: zero 4
// stdout: one 3
// stdout: zero 4
// stdout: one 3
// launch: -k moving -g 4 -a iota:4 -a zero:4
// expect 1: 6 100 5 70

__constant int a[3] = {1, 2, 3};
__constant int b[4] = {10, 20, 30, 40};
__constant int *__constant arrays_of[] = {a, b, b + 2};

__kernel void arrays(__global const int *which, __global const int *at, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = arrays_of[which[i]][at[i]];
}

struct entry {
    __constant char *name;
    int length;
    __constant int *data;
};
__constant int one[1] = {7};
__constant int two[2] = {8, 9};
__constant struct entry entries[] = {{"one", 1, one}, {"two", 2, two}, {0, 0, 0}};

__kernel void structures(__global int *out)
{
    const int i = get_global_id(0);
    __constant struct entry *e = &entries[i % 3];
    int sum = 0;
    for (int j = 0; j < e->length; j++)
        sum += e->data[j];
    if (e->name)
        sum += e->name[1];
    out[i] = sum;
}

__constant float p[4] = {1, 2, 3, 4};
__constant float q[4] = {5, 6, 7, 8};
__constant float r[4] = {9, 10, 11, 12};

__kernel void private_arrays(__global const int *x, __global float *out)
{
    const int i = get_global_id(0);
    __constant float *here[3] = {p, q, r};
    __constant float **chosen = &here[x[i] % 3];
    out[i] = (*chosen)[x[i] & 3] + here[(x[i] + 1) % 3][0];
}

__constant char s0[] = "zero", s1[] = "one";
__constant char *__constant names[2] = {s0, s1};
__constant char *__constant *__constant lists[1] = {names};
struct pair {
    __constant char *s;
    int n;
};
__constant struct pair pairs[2] = {{s0, 4}, {s1, 3}};

__kernel void nested(__global int *out)
{
    const int i = get_global_id(0);
    struct pair copy = pairs[i & 1];
    struct pair both[2] = {pairs[i & 1], pairs[1 - (i & 1)]};
    out[i] = lists[0][i & 1][i % 3] + copy.s[1] + both[i % 2].s[0] * both[out[i] & 1].n;
    printf("%s %d\n", names[i & 1], copy.n);
}

// The pointer into the table moves, and may be null.
__kernel void moving(__global const int *x, __global int *out)
{
    const int i = get_global_id(0);
    __constant int *__constant *at = arrays_of;
    int sum = 0;
    for (int j = 0; j <= x[i] % 2; j++, at++)
        for (int k = 0; k < 3 + (*at == b); k++)
            sum += (*at)[k];
    out[i] = x[i] < 2 ? sum - 6 * (x[i] % 2) : at[0][0] + (at == arrays_of + 1 ? -5 : 40);
}
