// What OpenCL C 2.0 adds to the work-item functions, and the barrier's other name.

OVERLOAD size_t get_enqueued_local_size(uint dimension) { return get_local_size(dimension); }

OVERLOAD size_t get_global_linear_id(void) {
  size_t x = get_global_id(0) - get_global_offset(0);
  size_t y = get_global_id(1) - get_global_offset(1);
  size_t z = get_global_id(2) - get_global_offset(2);
  return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

OVERLOAD size_t get_local_linear_id(void) {
  return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

OVERLOAD void work_group_barrier(cl_mem_fence_flags flags) { barrier(flags); }
OVERLOAD void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) { barrier(flags); }
