__kernel void scale(__global const int *x, __global int *y, int factor) {
    int i = get_global_id(0);
    y[i] = factor * x[i];
}

__kernel void count_bits(__global uint *words) {
    int i = get_global_id(0);
    uint word = words[i], bits = 0;
    for (; word; word &= word - 1)
        ++bits;
    words[i] = bits;
}
