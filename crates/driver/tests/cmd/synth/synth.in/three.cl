__kernel void copy(__global const int *from, __global int *to) {
    int i = get_global_id(0);
    to[i] = from[i];
}

__kernel void sum(__global const int *x, __global int *total) {
    atomic_add(total, x[get_global_id(0)]);
}

__kernel void shout(__global const float *x) {
    int i = get_global_id(0);
    printf("%d: %f\n", i, x[i]);
}
