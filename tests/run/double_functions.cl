// Double-precision sin, exp, log, pow, atan2, cbrt, tanh, cos, exp2.
//
// launch: -k waves -g 6 -l 3 -a values:0.1,1,2.5,-3.75,20.125,-0.0009765625 -a zero:12
// expect 1: 0.09983341664682815 1.1051709180756477 0.8414709848078965 2.718281828459045 0.5984721441039565
// expect 1: 12.182493960703473 0.5715613187423437 0.023517745856009107 0.9566996703359257 549764190.6604683
// expect 1: -0.0009765623447795783 0.9990239141819757
// ulp: 16
// launch: -k powers -g 6 -l 3 -a values:0.1,1,2.5,-3.75,20.125,-0.0009765625 -a zero:12
// expect 1: -0.5108256237659907 0.01778279410038923 0.4054651081081644 1 1.0986122886681098 4.970442054794066
// expect 1: 1.4469189829363254 10.105428148961744 3.0265039322207445 191.22197782274338 -0.6911959604286836
// expect 1: 0.0000053947966093944364
// ulp: 16
// launch: -k roots -g 6 -l 3 -a values:0.1,1,2.5,-3.75,20.125,-0.0009765625 -a zero:12
// expect 1: 0.049958395721942765 0.4641588833612779 0.4636476090008061 1 0.8960553845713439 1.3572088082974534
// expect 1: -1.0808390005411683 -1.5536162529769295 1.4717426803762577 2.7200609127073987 -0.0004882812111948983
// expect 1: -0.09921256574801247
// ulp: 16
// launch: -k products -g 6 -l 3 -a values:0.1,1,2.5,-3.75,20.125,-0.0009765625 -a zero:12
// expect 1: 0.09966799462495582 0.9283717129209403 0.7615941559557649 0.2701511529340699 0.9866142981514303
// expect 1: -0.1416235208143863 -0.9988944427261528 -0.06098843912689162 1 0.0000002545534717632815
// expect 1: -0.0009765621895592603 0.999322850988193
// ulp: 16

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void waves(__global const double *in, __global double *out)
{
    int i = get_global_id(0);
    out[2 * i] = sin(in[i]);
    out[2 * i + 1] = exp(in[i]);
}

__kernel void powers(__global const double *in, __global double *out)
{
    int i = get_global_id(0);
    double p = fabs(in[i]);
    out[2 * i] = log(p + 0.5);
    out[2 * i + 1] = pow(p, 1.75);
}

__kernel void roots(__global const double *in, __global double *out)
{
    int i = get_global_id(0);
    out[2 * i] = atan2(in[i], 2.0);
    out[2 * i + 1] = cbrt(in[i]);
}

__kernel void products(__global const double *in, __global double *out)
{
    int i = get_global_id(0);
    out[2 * i] = tanh(in[i]);
    out[2 * i + 1] = cos(in[i]) * exp2(-fabs(in[i]));
}
