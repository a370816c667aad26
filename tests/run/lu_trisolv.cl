// LU decomposition in place by one group, row per work-item, then forward and
// backward substitution by a single work-item.
//
// launch: -k lu -g 6 -l 6 -a values:10,2,-3,1,0.5,4,2,12,1,-1,3,0.25,-1,3,9,2,1,1,4,-2,1,11,2,-3,0,1,2,3,13,-1,1,0,-2,1,2,8
// expect 0: 10 2 -3 1 0.5 4 0.2 11.6 1.6 -1.2 2.9 -0.55 -0.1 0.27586206896551724 8.25862068965517 2.431034482758621
// expect 0: 0.2500000000000001 1.5517241379310345 0.4 -0.24137931034482757 0.3131524008350731 9.549060542797495
// expect 0: 2.4217118997912315 -5.218684759916492 0 0.08620689655172414 0.22546972860125264 0.2675994752951465
// expect 0: 12.04558373414954 0.09406427634455627 0.1 -0.017241379310344827 -0.2025052192066806 0.1436379536510713
// expect 0: 0.1413610664924269 8.641053651320863
// launch: -k solve -g 1 -l 1 -a values:2,1,-1,0,0.5,3,2,1,-1,0.25,4,2,0,1,-2,5 -a values:1,-2,3,0.5 -a zero:4
// expect 2: 1.2677083333333334 -1.6041666666666667 -0.06875000000000009 2.45

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void lu(__global double *a)
{
    int n = get_local_size(0), i = get_local_id(0);
    for (int k = 0; k < n; k++) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (i > k) {
            double f = a[i * n + k] / a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
            a[i * n + k] = f;
        }
    }
}

__kernel void solve(__global const double *lu, __global const double *b, __global double *x)
{
    const int n = 4;
    double y[4];
    for (int i = 0; i < n; i++) {
        double s = b[i];
        for (int j = 0; j < i; j++)
            s -= lu[i * n + j] * y[j];
        y[i] = s;
    }
    for (int i = n - 1; i >= 0; i--) {
        double s = y[i];
        for (int j = i + 1; j < n; j++)
            s -= lu[i * n + j] * x[j];
        x[i] = s / lu[i * n + i];
    }
}
