// One round of merge sort: each work-item finds the rank of its element in
// the sibling run by binary search (lower or upper bound keeps it stable).
//
// launch: -k merge -g 16 -l 4 -a values:1,3,3,8,2,3,9,9,-5,0,0,4,-6,0,1,2 -a 4 -a zero:16
// expect 2: 1 2 3 3 3 8 9 9 -6 -5 0 0 0 1 2 4
// launch: -k merge -g 16 -l 8 -a values:1,2,3,3,3,8,9,9,-6,-5,0,0,0,1,2,4 -a 8 -a zero:16
// expect 2: -6 -5 0 0 0 1 1 2 2 3 3 3 4 8 9 9

__kernel void merge(__global const int *in, int run, __global int *out)
{
    int i = get_global_id(0);
    int block = i / run, left = block & 1 ? 0 : 1;
    int mine = i % run;
    __global const int *sibling = in + (block ^ 1) * run;
    int x = in[i];
    int lo = 0, hi = run;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        bool before = left ? sibling[mid] < x : sibling[mid] <= x;
        if (before)
            lo = mid + 1;
        else
            hi = mid;
    }
    out[(block & ~1) * run + mine + lo] = x;
}
