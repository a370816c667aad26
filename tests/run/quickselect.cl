// The k-th smallest of a row, found in place in a private copy by repeated
// partition; every k of the row by another work-item.
//
// launch: -k select_kth -g 18 -l 9 -a values:7,2,9,4,4,0,-3,8,1,5,5,5,5,1,5,5,9,5 -a 9 -a zero:18
// expect 2: -3 0 1 2 4 4 7 8 9 1 5 5 5 5 5 5 5 9

__kernel void select_kth(__global const int *rows, int n, __global int *out)
{
    int g = get_global_id(0), k = g % n;
    int v[9];
    for (int i = 0; i < n; i++)
        v[i] = rows[g / n * n + i];
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int pivot = v[(lo + hi) / 2], store = lo, i = lo, top = hi;
        while (i <= top) {
            if (v[i] < pivot) {
                int t = v[i];
                v[i++] = v[store];
                v[store++] = t;
            } else if (v[i] > pivot) {
                int t = v[i];
                v[i] = v[top];
                v[top--] = t;
            } else
                i++;
        }
        if (k < store)
            hi = store - 1;
        else if (k > top)
            lo = top + 1;
        else
            break;
    }
    out[g] = v[k];
}
