__kernel void k(__global int *out, __local int *t) {
    int l = get_local_id(0);
    t[l] = l;
    out[l] = t[l ^ 1];
}
