// Words are written and their bytes read: a word covers the bytes of four iterations.
//
// launch: -k bytes -g 1 -a rand:16:3238:0:255 -a 16
// expect 0: 24252 10374 10537 2570 9129 34478 37265 31097 60179 6723 30840 64507 31364 1038 1799 8738

__kernel void bytes(__global uint *a, int n)
{
    __global uchar *b = (__global uchar *)a;
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 257 + b[i];
}
