// Adaptive integration of a two-variable system, one trajectory per
// work-item: step halving and doubling make trip counts differ.
//
// launch: -k integrate -g 8 -l 4 -a values:1,0,0.5,0.5,2,-1,0.1,0,3,1,0,0.25,-1,-1,1.5,2 -a 0.0001 -a zero:8 -a zero:8
// expect 2: 0.5200008129010533 -0.9347428383759149 0.7393648826910817 -0.09749111179634783 0.6678498134211006
// expect 2: -1.780290292104679 0.04549216672732531 -0.10917624397029888 2.6640956794105697 -0.7687795765493325
// expect 2: 0.2723058095091048 0.246578113691878 -1.3343797529937689 0.34597939538039074 2.024943418547698
// expect 2: -0.5419960101829545
// expect 3: 18 18 18 9 49 17 26 35

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
double2 slope(double2 y)
{
    return (double2)(y.y, (1.0 - y.x * y.x) * y.y * 0.5 - y.x);
}

double2 midpoint(double2 y, double h)
{
    double2 k = slope(y);
    return y + h * slope(y + 0.5 * h * k);
}

__kernel void integrate(__global const double2 *start, double tolerance, __global double2 *end, __global int *steps)
{
    int i = get_global_id(0);
    double2 y = start[i];
    double t = 0.0, h = 0.25;
    int n = 0;
    while (t < 1.0 && n < 200) {
        if (t + h > 1.0)
            h = 1.0 - t;
        double2 once = midpoint(y, h);
        double2 twice = midpoint(midpoint(y, h * 0.5), h * 0.5);
        double2 d = fabs(once - twice);
        n++;
        if (d.x + d.y > tolerance) {
            h *= 0.5;
            continue;
        }
        y = twice;
        t += h;
        if (d.x + d.y < tolerance * 0.125)
            h *= 2.0;
    }
    end[i] = y;
    steps[i] = n;
}
