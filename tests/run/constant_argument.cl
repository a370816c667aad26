// A filter whose taps are a __constant argument, beside a file-scope table
// that orders them; the constant pointer goes through a helper.
//
// launch: -k filter -g 16 -l 8 -a rand:24:151:-50:50 -a values:1,-2,4,-8,16 -a 5 -a zero:16
// expect 3: -175 -482 -642 -214 414 395 625 788 -564 -296 -680 -401 -62 -823 135 -1339
// launch: -k filter -g 8 -l 2 -a iota:24 -a values:3,1,2 -a 3 -a zero:8
// expect 3: 11 11 23 23 35 35 47 47

__constant uchar order[2][8] = { { 4, 2, 0, 1, 3, 5, 6, 7 }, { 0, 1, 2, 3, 4, 5, 6, 7 } };

int tap(__constant int *taps, __constant uchar *seq, int k, int n)
{
    return seq[k] < n ? taps[seq[k]] : 0;
}

__kernel void filter(__global const int *in, __constant int *taps, int n, __global int *out)
{
    int i = get_global_id(0);
    int s = 0;
    for (int k = 0; k < 8; k++)
        s += in[i + k] * tap(taps, order[i & 1], k, n);
    out[i] = s;
}
