// Escape iterations per pixel, double precision with a cap; trip counts vary
// strongly between neighbours.
//
// launch: -k mandelbrot -g 16,12 -l 4,4 -a -2.25 -a -1.25 -a 0.1875 -a 50 -a zero:192
// expect 4: 1 1 1 1 2 2 2 3 3 3 3 3 2 2 2 2 1 1 1 2 2 3 3 3 3 4 4 9 5 4 3 2 1 1 1 2 3 3 3 3 4 4 5 11 9 5 4 3 1 1 2 3
// expect 4: 3 3 3 4 5 9 10 50 13 7 9 3 1 1 3 3 3 4 5 5 6 18 50 50 50 50 9 4 1 1 3 4 5 7 12 15 10 50 50 50 50 50 50 4
// expect 4: 1 1 4 5 7 11 50 50 26 50 50 50 50 50 17 4 1 1 5 6 7 50 50 50 50 50 50 50 50 50 8 4 1 1 4 4 5 7 50 35 13
// expect 4: 50 50 50 50 50 50 4 1 1 3 3 3 6 6 6 8 50 50 50 50 50 9 4 1 1 2 3 3 3 4 4 5 22 50 50 50 10 11 3 1 1 1 3 3
// expect 4: 3 3 3 4 5 6 50 40 5 4 3

#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void mandelbrot(double left, double top, double pixel, int cap, __global int *out)
{
    double cx = left + get_global_id(0) * pixel, cy = top + get_global_id(1) * pixel;
    double x = 0, y = 0;
    int n = 0;
    while (x * x + y * y <= 4.0 && n < cap) {
        double t = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = t;
        n++;
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = n;
}
