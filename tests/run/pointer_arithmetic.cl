// Differences, comparisons and negative steps of pointers in global memory;
// two pointers close in from both ends.
//
// launch: -k palindromes -g 5 -l 5 -a values:1,2,3,2,1,9,4,4,9,7,7,1,2,3,3,2,1,5,6,5,8 -a values:0,5,9,11,17,20 -a zero:5 -a zero:5
// expect 2: 5 4 2 6 3
// expect 3: 203 703 1002 1404 1802

__kernel void palindromes(__global const short *text, __global const int *starts, __global int *is, __global long *at)
{
    int w = get_global_id(0);
    __global const short *first = text + starts[w], *last = text + starts[w + 1];
    long length = last - first;
    __global const short *mid = first;
    while (first < --last && *first == *last)
        mid = ++first;
    is[w] = first >= last ? (int)length : -(int)(last - first);
    at[w] = (mid - text) * 100 + (&text[starts[w + 1]] - last);
}
