__kernel void linked_list(__global const int *restrict next, __global const int *restrict value,
                          __global int *restrict sum, int n) {
    int total = 0, at = 0;
    for (int i = 0; i < n; i++) {
        total += value[at];
        at = next[at];
    }
    *sum = total;
}
