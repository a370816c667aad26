// The C11-style atomics of OpenCL C 2.0 and 3.0. One memory serves all work-items, so that the scope does
// not matter; the order is kept.

#define SCOPE memory_scope_device

#define RMW(NAME, A, T, V, SPACE)                                                                             \
  OVERLOAD T atomic_##NAME(volatile SPACE A *p, V value) {                                                    \
    return __opencl_atomic_##NAME(p, value, memory_order_seq_cst, SCOPE);                                     \
  }                                                                                                           \
  OVERLOAD T atomic_##NAME##_explicit(volatile SPACE A *p, V value, memory_order order) {                     \
    return __opencl_atomic_##NAME(p, value, order, SCOPE);                                                    \
  }                                                                                                           \
  OVERLOAD T atomic_##NAME##_explicit(volatile SPACE A *p, V value, memory_order order, memory_scope scope) { \
    return __opencl_atomic_##NAME(p, value, order, SCOPE);                                                    \
  }

#define ACCESS(A, T, SPACE)                                                                                   \
  OVERLOAD void atomic_init(volatile SPACE A *p, T value) { __opencl_atomic_init(p, value); }                 \
  OVERLOAD T atomic_load(volatile SPACE A *p) {                                                               \
    return __opencl_atomic_load(p, memory_order_seq_cst, SCOPE);                                              \
  }                                                                                                           \
  OVERLOAD T atomic_load_explicit(volatile SPACE A *p, memory_order order) {                                  \
    return __opencl_atomic_load(p, order, SCOPE);                                                             \
  }                                                                                                           \
  OVERLOAD T atomic_load_explicit(volatile SPACE A *p, memory_order order, memory_scope scope) {              \
    return __opencl_atomic_load(p, order, SCOPE);                                                             \
  }                                                                                                           \
  OVERLOAD void atomic_store(volatile SPACE A *p, T value) {                                                  \
    __opencl_atomic_store(p, value, memory_order_seq_cst, SCOPE);                                             \
  }                                                                                                           \
  OVERLOAD void atomic_store_explicit(volatile SPACE A *p, T value, memory_order order) {                     \
    __opencl_atomic_store(p, value, order, SCOPE);                                                            \
  }                                                                                                           \
  OVERLOAD void atomic_store_explicit(volatile SPACE A *p, T value, memory_order order, memory_scope scope) { \
    __opencl_atomic_store(p, value, order, SCOPE);                                                            \
  }                                                                                                           \
  RMW(exchange, A, T, T, SPACE)                                                                               \
  COMPARE_EXCHANGE(strong, A, T, SPACE, __private)                                                            \
  COMPARE_EXCHANGE(strong, A, T, SPACE, __global)                                                             \
  COMPARE_EXCHANGE(strong, A, T, SPACE, __local)                                                              \
  COMPARE_EXCHANGE(strong, A, T, SPACE, __generic)                                                            \
  COMPARE_EXCHANGE(weak, A, T, SPACE, __private)                                                              \
  COMPARE_EXCHANGE(weak, A, T, SPACE, __global)                                                               \
  COMPARE_EXCHANGE(weak, A, T, SPACE, __local)                                                                \
  COMPARE_EXCHANGE(weak, A, T, SPACE, __generic)

// The strongest order is used for all: two orders given as values would become nested switches.
#define COMPARE_EXCHANGE(KIND, A, T, SPACE, EXPECTED)                                                         \
  OVERLOAD bool atomic_compare_exchange_##KIND(volatile SPACE A *p, EXPECTED T *expected, T desired) {        \
    T seen = *expected;                                                                                       \
    bool done = __opencl_atomic_compare_exchange_strong(p, &seen, desired, memory_order_seq_cst,              \
                                                        memory_order_seq_cst, SCOPE);                         \
    if (!done)                                                                                                \
      *expected = seen;                                                                                       \
    return done;                                                                                              \
  }                                                                                                           \
  OVERLOAD bool atomic_compare_exchange_##KIND##_explicit(volatile SPACE A *p, EXPECTED T *expected, T desired, \
                                                          memory_order success, memory_order failure) {       \
    return atomic_compare_exchange_##KIND(p, expected, desired);                                              \
  }                                                                                                           \
  OVERLOAD bool atomic_compare_exchange_##KIND##_explicit(volatile SPACE A *p, EXPECTED T *expected, T desired, \
                                                          memory_order success, memory_order failure,         \
                                                          memory_scope scope) {                               \
    return atomic_compare_exchange_##KIND(p, expected, desired);                                              \
  }

#define ARITHMETIC(A, T, SPACE)                                   \
  ACCESS(A, T, SPACE)                                             \
  RMW(fetch_add, A, T, T, SPACE)                                  \
  RMW(fetch_sub, A, T, T, SPACE)                                  \
  RMW(fetch_or, A, T, T, SPACE)                                   \
  RMW(fetch_xor, A, T, T, SPACE)                                  \
  RMW(fetch_and, A, T, T, SPACE)                                  \
  RMW(fetch_min, A, T, T, SPACE)                                  \
  RMW(fetch_max, A, T, T, SPACE)

#define SPACES(M, A, T) M(A, T, __global) M(A, T, __local) M(A, T, __generic)
SPACES(ARITHMETIC, atomic_int, int)
SPACES(ARITHMETIC, atomic_uint, uint)
SPACES(ARITHMETIC, atomic_long, long)
SPACES(ARITHMETIC, atomic_ulong, ulong)
SPACES(ACCESS, atomic_float, float)
SPACES(ACCESS, atomic_double, double)

// atomic_uintptr_t is an atomic_ulong that takes a signed difference.
#define DIFFERENCE(A, T, SPACE) RMW(fetch_add, A, T, long, SPACE) RMW(fetch_sub, A, T, long, SPACE)
SPACES(DIFFERENCE, atomic_ulong, ulong)

#define FLAG(SPACE, ...)                                                                                      \
  OVERLOAD bool atomic_flag_test_and_set(volatile SPACE atomic_flag *p) {                                     \
    return __opencl_atomic_exchange((volatile SPACE atomic_int *)p, 1, memory_order_seq_cst, SCOPE) != 0;     \
  }                                                                                                           \
  OVERLOAD bool atomic_flag_test_and_set_explicit(volatile SPACE atomic_flag *p, memory_order order) {        \
    return __opencl_atomic_exchange((volatile SPACE atomic_int *)p, 1, order, SCOPE) != 0;                    \
  }                                                                                                           \
  OVERLOAD bool atomic_flag_test_and_set_explicit(volatile SPACE atomic_flag *p, memory_order order,          \
                                                  memory_scope scope) {                                       \
    return __opencl_atomic_exchange((volatile SPACE atomic_int *)p, 1, order, SCOPE) != 0;                    \
  }                                                                                                           \
  OVERLOAD void atomic_flag_clear(volatile SPACE atomic_flag *p) {                                            \
    __opencl_atomic_store((volatile SPACE atomic_int *)p, 0, memory_order_seq_cst, SCOPE);                    \
  }                                                                                                           \
  OVERLOAD void atomic_flag_clear_explicit(volatile SPACE atomic_flag *p, memory_order order) {               \
    __opencl_atomic_store((volatile SPACE atomic_int *)p, 0, order, SCOPE);                                   \
  }                                                                                                           \
  OVERLOAD void atomic_flag_clear_explicit(volatile SPACE atomic_flag *p, memory_order order,                 \
                                           memory_scope scope) {                                              \
    __opencl_atomic_store((volatile SPACE atomic_int *)p, 0, order, SCOPE);                                   \
  }
FLAG(__global)
FLAG(__local)
FLAG(__generic)

OVERLOAD void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  mem_fence(flags);
}
