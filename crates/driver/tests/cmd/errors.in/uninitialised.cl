__kernel void k(__global int *out) {
    int a[4];
    a[out[0]] = 1;
    out[1] = a[out[1]];
}
