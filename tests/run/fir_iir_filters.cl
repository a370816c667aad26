// A FIR filter with a shift register in private memory over a block per
// work-item, and a biquad IIR by one work-item per channel.
//
// launch: -k fir -g 4 -l 2 -a rand:39:1001:-100:100 -a values:1,3,-2,5,4,-1,2,7 -a zero:32
// expect 2: -621 -377 -375 -88 -865 -1341 638 -238 -334 503 186 444 1144 754 553 649 780 -44 -152 -132 153 -26 -1286
// expect 2: -212 935 -962 -80 1153 -402 -685 763 59
// launch: -k iir -g 2 -l 1 -a rand:32:1002:-1:1 -a zero:32
// expect 1: 0.17340206 0.2470723 -0.15568352 -0.14685233 0.2236179 0.28077516 0.17136045 -0.15595663 -0.40229812
// expect 1: -0.30698198 0.027160615 0.2462598 0.34800568 0.45946118 0.17493995 -0.08364698 -0.13110013 -0.09190551
// expect 1: 0.3092926 0.19876155 -0.0767011 0.11249371 -0.03125262 -0.05860334 0.32004327 0.47244683 0.49539736
// expect 1: 0.25812063 -0.19766569 -0.13929054 0.21606043 0.29253602

#pragma OPENCL FP_CONTRACT OFF
#define TAPS 8
__kernel void fir(__global const int *in, __constant int *h, __global int *out)
{
    int block = get_global_id(0);
    int line[TAPS];
    for (int k = 0; k < TAPS - 1; k++)
        line[k + 1] = in[block * 8 + TAPS - 2 - k];
    for (int i = 0; i < 8; i++) {
        line[0] = in[block * 8 + i + TAPS - 1];
        int acc = 0;
        for (int k = 0; k < TAPS; k++)
            acc += line[k] * h[k];
        out[block * 8 + i] = acc;
        for (int k = TAPS - 1; k > 0; k--)
            line[k] = line[k - 1];
    }
}

__kernel void iir(__global const float *in, __global float *out)
{
    int c = get_global_id(0);
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < 16; i++) {
        float x = in[c * 16 + i];
        float y = 0.2f * x + 0.4f * x1 + 0.2f * x2 - 0.3f * y1 + 0.1f * y2;
        x2 = x1;
        x1 = x;
        y2 = y1;
        y1 = y;
        out[c * 16 + i] = y;
    }
}
