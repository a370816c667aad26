__kernel void k(__global int *out) {
    while (out[0] == 0)
        out[1] += 1;
}
