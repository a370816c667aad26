// Work-item functions with constant, too large and computed dimensions.
kernel void queries(global ulong *out, uint d) {
  out[0] = get_global_id(1);
  out[1] = get_local_size(3);
  out[2] = get_group_id(7);
  out[3] = get_num_groups(d);
  out[4] = get_work_dim();
  out[5] = get_global_offset(2) + get_global_size(0);
}
