// isnan, isinf, isfinite, isnormal and signbit for float, double and vectors;
// any() and all() of the masks.
//
// launch: -k classify -g 10 -l 5 -a values:0,-0.0,1,-1e-40,1.17549435e-38,3.4e38,inf,-inf,nan,-5 -a zero:10 -a zero:10
// expect 1: -964 -948 -764 -948 -892 -764 2 18 1 -748
// expect 2: 8 8 9 9 9 11 6 6 4 9

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void classify(__global const float *in, __global int *out, __global int *wide)
{
    int i = get_global_id(0);
    float x = in[i];
    int r = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | isnormal(x) << 3;
    if (!isnan(x))
        r |= signbit(x) << 4;
    float3 v = (float3)(x, 1.0f, x * 0.5f);
    int3 finite = isfinite(v), normal = isnormal(v);
    r |= all(finite) << 5 | any(normal.xz) << 6 | all(normal) << 7;
    out[i] = r + finite.z * 1000;
    double d = x;
    wide[i] = isnormal(d) + 2 * isinf(d * 1e300) + 4 * isnan(d - d) + 8 * isfinite(d * 2);
}
