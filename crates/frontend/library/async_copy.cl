// Async copies (OpenCL C 1.2, 6.12.10). The work-items of the group share the copying; it is complete for
// all of them once the wait, a barrier, has been passed.

OVERLOAD size_t get_local_linear_id(void);

static size_t group_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

#define COPIES(T, TO, FROM)                                                                               \
  OVERLOAD event_t async_work_group_copy(TO T *to, const FROM T *from, size_t count, event_t event) {     \
    for (size_t i = get_local_linear_id(); i < count; i += group_size())                                  \
      to[i] = from[i];                                                                                    \
    return event;                                                                                         \
  }
#define BOTH_WAYS(T)                                                                                      \
  COPIES(T, __local, __global)                                                                            \
  COPIES(T, __global, __local)                                                                            \
  OVERLOAD event_t async_work_group_strided_copy(__local T *to, const __global T *from, size_t count,     \
                                                 size_t stride, event_t event) {                          \
    for (size_t i = get_local_linear_id(); i < count; i += group_size())                                  \
      to[i] = from[i * stride];                                                                           \
    return event;                                                                                         \
  }                                                                                                       \
  OVERLOAD event_t async_work_group_strided_copy(__global T *to, const __local T *from, size_t count,     \
                                                 size_t stride, event_t event) {                          \
    for (size_t i = get_local_linear_id(); i < count; i += group_size())                                  \
      to[i * stride] = from[i];                                                                           \
    return event;                                                                                         \
  }                                                                                                       \
  OVERLOAD void prefetch(const __global T *from, size_t count) {}
#define WIDTHS(T, ...) BOTH_WAYS(T) BOTH_WAYS(T##2) BOTH_WAYS(T##3) BOTH_WAYS(T##4) BOTH_WAYS(T##8) BOTH_WAYS(T##16)
EACH_TYPE(WIDTHS, )

OVERLOAD void wait_group_events(int count, __private event_t *events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
OVERLOAD void wait_group_events(int count, __generic event_t *events) {
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
