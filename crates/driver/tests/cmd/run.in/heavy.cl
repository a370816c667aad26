// Sixteen of them are too many for a small chip.
kernel void heavy(global double *x, double a) {
    int i = get_global_id(0);
    x[i] = x[i] / a + a;
}
