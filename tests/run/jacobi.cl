// Jacobi relaxation in one dimension (several sweeps in one group, two
// buffers swapped by pointer) and in two (one sweep, borders copied).
//
// launch: -k jacobi_1d -g 16 -l 16 -a 5 -a rand:16:491:0:10 -a zero:16
// expect 1: 2.8425236 4.915176 6.6178255 7.4917755 7.3525696 6.4546547 5.3320856 4.612123 4.4791365 4.3572454
// expect 1: 3.7540002 3.086862 3.1947365 4.483594 6.7548876 9.5197935
// expect 2: 2.8425236 4.822675 6.4106507 7.2384863 7.1628923 6.398491 5.4327374 4.7588673 4.4819107 4.236907 3.738027
// expect 2: 3.2806153 3.4899824 4.729203 6.878291 9.5197935
// launch: -k jacobi_2d -g 8,6 -l 4,2 -a rand:48:492:0:10 -a zero:48
// expect 1: 7.8752737 9.660696 4.1228147 3.5646272 5.6218214 8.499405 2.8488274 3.5312152 5.1944203 7.6598697
// expect 1: 4.452245 6.332628 5.0046234 5.337658 4.9538116 9.837365 4.302898 4.66872 7.3274245 4.3895826 6.7625747
// expect 1: 4.5278373 4.6485877 0.8320904 6.512819 6.636275 4.599801 6.235899 5.8858867 5.7177887 6.6897097 6.275099
// expect 1: 7.8890924 5.995097 6.7936754 3.8402429 3.6579728 5.55376 3.9369965 1.2405825 7.7008014 6.1706867 9.046005
// expect 1: 2.3337884 2.8296094 9.307632 2.7611542 5.2623396

#pragma OPENCL FP_CONTRACT OFF
__kernel void jacobi_1d(int steps, __global float *a, __global float *b)
{
    int i = get_local_id(0), n = get_local_size(0);
    __global float *from = a, *to = b;
    for (int t = 0; t < steps; t++) {
        float v = from[i];
        if (i > 0 && i < n - 1)
            v = 0.25f * (from[i - 1] + 2.0f * v + from[i + 1]);
        to[i] = v;
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global float *swap = from;
        from = to;
        to = swap;
    }
}

__kernel void jacobi_2d(__global const float *a, __global float *b)
{
    int x = get_global_id(0), y = get_global_id(1);
    int w = get_global_size(0), h = get_global_size(1);
    int c = y * w + x;
    bool inside = x > 0 && x < w - 1 && y > 0 && y < h - 1;
    b[c] = inside ? 0.2f * (a[c] + a[c - 1] + a[c + 1] + a[c - w] + a[c + w]) : a[c];
}
