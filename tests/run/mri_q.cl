// Phase sums of MRI reconstruction: sin and cos accumulated over k-space
// samples that lie in a constant array of structs.
//
// launch: -k compute_q -g 6 -l 3 -a 6 -a words:0x3dcccccd,0x3e4ccccd,0x3e99999a,0x3f800000,0x3f000000,0xbe800000,0x3d4ccccd,0x3f400000,0xbe19999a,0x3ecccccd,0x3e800000,0x3fa00000,0x3f19999a,0x3e000000,0x3d800000,0x3f000000,0x3e800000,0x3e2aaaab,0x3f000000,0x3f200000,0x3d23d70a,0x3f333333,0x3eb33333,0x3f666666 -a values:0.1,0.05,0.2,0.15,0.02,0.12 -a values:0.03,0.07,0.01,0.11,0.04,0.2 -a values:0.02,0.13,0.06,0.09,0.17,0.05 -a zero:6 -a zero:6
// expect 5: 4.908634 4.610251 4.59611 4.400267 4.6218486 4.182588
// expect 6: 0.8896882 1.8210447 1.4673197 2.2535331 1.758258 2.421822
// ulp: 64

typedef struct {
    float kx, ky, kz, magnitude;
} sample;

__kernel void compute_q(int n, __constant sample *k, __global const float *x, __global const float *y, __global const float *z, __global float *real, __global float *imaginary)
{
    int i = get_global_id(0);
    float qr = 0.0f, qi = 0.0f;
    for (int s = 0; s < n; s++) {
        float angle = 6.2831853f * (k[s].kx * x[i] + k[s].ky * y[i] + k[s].kz * z[i]);
        qr += k[s].magnitude * cos(angle);
        qi += k[s].magnitude * sin(angle);
    }
    real[i] = qr;
    imaginary[i] = qi;
}
