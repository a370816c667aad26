__kernel void scale_and_add(__global const int *a, __global const int *b, __global int *c,
                            int factor) {
    size_t i = get_global_id(0);
    c[i] = factor * a[i] + b[i];
}
