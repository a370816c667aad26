// launch: -g 4 -a iota:4
// expect 0: 0 2 4 6
__kernel void square(__global int *x) {
    x[get_global_id(0)] *= x[get_global_id(0)];
}
