// Compensated summation in double: two-sum, Kahan and Neumaier next to the
// plain sum of the same ill-conditioned values.
//
// launch: -k sums -g 6 -l 2 -a values:1,1e100,1,-1e100,0.1,0.2,0.3,-0.6,1e16,1,-1e16,3.5 -a zero:18
// expect 1: 5.300000000000001 5.3 7.3 10000000000000000 10000000000000000 6 4.9 4.8999999999999995 6.9
// expect 1: -9999999999999994 -9999999999999994 6 3.8 3.8 5.8 6.300000000000001 6.3 6.3
// launch: -k sums -g 5 -l 1 -a rand:12:9:-1:1 -a zero:15
// expect 1: 0.6048343171339114 0.6048343171339114 0.6048343171339114 0.6048343171339114 0.6048343171339114
// expect 1: 0.6048343171339114 0.6048343171339114 0.6048343171339114 0.6048343171339114 0.6048343171339114
// expect 1: 0.6048343171339114 0.6048343171339114 0.6048343171339114 0.6048343171339114 0.6048343171339114

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void sums(__global const double *v, __global double *out)
{
    int start = get_global_id(0);
    double plain = 0, kahan = 0, c = 0, neumaier = 0, comp = 0;
    for (int k = 0; k < 12; k++) {
        double x = v[(start + k * 5) % 12];
        plain += x;
        double y = x - c;
        double t = kahan + y;
        c = (t - kahan) - y;
        kahan = t;
        double s = neumaier + x;
        if (fabs(neumaier) >= fabs(x))
            comp += (neumaier - s) + x;
        else
            comp += (x - s) + neumaier;
        neumaier = s;
    }
    out[3 * start] = plain;
    out[3 * start + 1] = kahan;
    out[3 * start + 2] = neumaier + comp;
}
