// y = a * x + y, one element per work-item.
//
// launch: -g 16 -l 4 -a 2.5 -a iota:16 -a fill:16:1
// expect 2: 1 3.5 6 8.5 11 13.5 16 18.5 21 23.5 26 28.5 31 33.5 36 38.5
__kernel void saxpy(float a, __global const float *x, __global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
