// A private array of structs as explicit stack: iterative quicksort of a
// private copy, the result written back.
//
// launch: -k sort_each -g 4 -l 2 -a rand:64:131:-1000:1000 -a zero:4
// expect 0: -797 -644 -629 -485 -378 -312 -211 -174 270 368 430 575 613 633 660 762 -806 -628 -435 -426 -380 -350
// expect 0: -331 -136 -104 -90 26 191 205 227 530 989 -990 -671 -647 -544 -299 -245 -219 100 170 275 447 568 574 578
// expect 0: 609 820 -979 -867 -824 -680 -364 -296 -246 -239 -184 -134 109 139 383 394 400 902
// expect 1: 5 5 6 6
// launch: -k sort_each -g 4 -l 1 -a fill:64:3 -a zero:4
// expect 1: 5 5 5 5

#define N 16

typedef struct {
    short lo, hi;
} range;

void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

int partition(int *v, int lo, int hi)
{
    int pivot = v[(lo + hi) / 2];
    int i = lo - 1, j = hi + 1;
    for (;;) {
        do
            i++;
        while (v[i] < pivot);
        do
            j--;
        while (v[j] > pivot);
        if (i >= j)
            return j;
        swap(&v[i], &v[j]);
    }
}

__kernel void sort_each(__global int *data, __global int *deepest)
{
    int g = get_global_id(0);
    int v[N];
    for (int i = 0; i < N; i++)
        v[i] = data[g * N + i];
    range stack[N];
    int top = 0, most = 0;
    stack[top++] = (range){ 0, N - 1 };
    while (top > 0) {
        range r = stack[--top];
        if (r.lo >= r.hi)
            continue;
        int m = partition(v, r.lo, r.hi);
        stack[top++] = (range){ r.lo, (short)m };
        stack[top].lo = m + 1;
        stack[top++].hi = r.hi;
        most = max(most, top);
    }
    for (int i = 0; i < N; i++)
        data[g * N + i] = v[i];
    deepest[g] = most;
}
