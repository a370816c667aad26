__kernel void fill(__global int *out, int value) {
    out[get_global_id(0)] = value;
}
