// A 16-point FFT per group, decimation in time with a table of twiddles in
// constant memory and bit-reversed loads; inverse by conjugation.
//
// launch: -k fft -g 16 -l 8 -a rand:32:961:-1:1 -a 0 -a zero:32
// expect 2: 0.93973815 -1.1424328 -0.5629673 -1.1990582 1.0899917 -3.556078 1.7304953 -0.9470233 0.13402176
// expect 2: 0.048229933 -2.3040657 -0.7728049 2.0035746 -3.9649005 -0.92965937 3.481979 0.65999186 -1.1472498
// expect 2: -3.856637 2.8073316 -1.8714534 -0.85906374 0.2243191 -1.862945 2.4064298 -0.4550333 1.9432845 -2.0752163
// expect 2: -4.216934 -1.437562 -1.0751634 0.94217145 -2.0784364 -3.5718904 1.9049246 -0.09301174 1.3502864
// expect 2: -0.32295942 3.9876914 -1.4768851 -1.2807202 0.0041986704 2.7884474 2.5002613 1.2993795 2.909751 0.2492899
// expect 2: 1.0904263 7.2056003 -5.1873393 1.8211608 2.959949 0.7348374 2.1512578 0.32021654 -0.8848741 -4.3718734
// expect 2: 0.8879372 1.6147703 4.257769 -1.2566079 0.5254668 1.2265948 -1.2575434
// launch: -k fft -g 8 -l 8 -a values:1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,0 -a 1 -a zero:16
// expect 2: 0.1875 0 0.17798494 -0.047835425 0.15088835 -0.088388346 0.110335425 -0.11548494 0.0625 -0.125
// expect 2: 0.014664575 -0.11548494 -0.025888346 -0.088388346 -0.052984938 -0.047835425 -0.0625 0 -0.052984938
// expect 2: 0.047835425 -0.025888346 0.088388346 0.014664575 0.11548494 0.0625 0.125 0.110335425 0.11548494
// expect 2: 0.15088835 0.088388346 0.17798494 0.047835425

#pragma OPENCL FP_CONTRACT OFF
#define N 16
__constant float2 twiddle[8] = {
    (float2)(1.0f, 0.0f), (float2)(0.92387953f, -0.38268343f), (float2)(0.70710678f, -0.70710678f), (float2)(0.38268343f, -0.92387953f),
    (float2)(0.0f, -1.0f), (float2)(-0.38268343f, -0.92387953f), (float2)(-0.70710678f, -0.70710678f), (float2)(-0.92387953f, -0.38268343f)
};

float2 multiply(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__kernel void fft(__global const float2 *in, int inverse, __global float2 *out)
{
    __local float2 t[N];
    uint l = get_local_id(0), base = get_group_id(0) * N;
    for (uint k = l; k < N; k += 8) {
        uint r = ((k & 1) << 3) | ((k & 2) << 1) | ((k & 4) >> 1) | (k >> 3);
        t[r] = in[base + k];
    }
    for (uint half_size = 1; half_size < N; half_size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = l & (half_size - 1);
        uint i = 2 * (l - k) + k, j = i + half_size;
        float2 w = twiddle[k * (N / 2 / half_size)];
        if (inverse)
            w.y = -w.y;
        float2 a = t[i], b = multiply(t[j], w);
        t[i] = a + b;
        t[j] = a - b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < N; k += 8)
        out[base + k] = inverse ? t[k] * 0.0625f : t[k];
}
