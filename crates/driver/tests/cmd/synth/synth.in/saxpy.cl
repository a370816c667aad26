// launch: -g 4 -a 2.5 -a iota:4 -a fill:4:1
// expect 2: 1 3.5 6 8.5
__kernel void saxpy(float a, __global const float *x, __global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
