__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(__global int *out) {
    out[get_global_id(0)] = get_local_id(0);
}
