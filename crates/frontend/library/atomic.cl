// Atomic functions of OpenCL C 1.2 (6.12.11) and of the int32/int64 extensions: relaxed read-modify-writes.

#define RELAXED memory_order_relaxed, memory_scope_device

#define RMW(PREFIX, NAME, OP, T, SPACE)                                                               \
  OVERLOAD T PREFIX##_##NAME(volatile SPACE T *p, T value) {                                          \
    return __opencl_atomic_##OP((volatile SPACE atomic_##T *)p, value, RELAXED);                      \
  }
#define ARITHMETIC(PREFIX, T, SPACE)                                                                  \
  RMW(PREFIX, add, fetch_add, T, SPACE)                                                               \
  RMW(PREFIX, sub, fetch_sub, T, SPACE)                                                               \
  RMW(PREFIX, xchg, exchange, T, SPACE)                                                               \
  RMW(PREFIX, min, fetch_min, T, SPACE)                                                               \
  RMW(PREFIX, max, fetch_max, T, SPACE)                                                               \
  RMW(PREFIX, and, fetch_and, T, SPACE)                                                               \
  RMW(PREFIX, or, fetch_or, T, SPACE)                                                                 \
  RMW(PREFIX, xor, fetch_xor, T, SPACE)                                                               \
  OVERLOAD T PREFIX##_inc(volatile SPACE T *p) { return PREFIX##_add(p, (T)1); }                      \
  OVERLOAD T PREFIX##_dec(volatile SPACE T *p) { return PREFIX##_sub(p, (T)1); }                      \
  OVERLOAD T PREFIX##_cmpxchg(volatile SPACE T *p, T compare, T value) {                              \
    __opencl_atomic_compare_exchange_strong((volatile SPACE atomic_##T *)p, &compare, value,          \
                                            memory_order_relaxed, RELAXED);                           \
    return compare;                                                                                   \
  }
#define SPACES(M, PREFIX, T) M(PREFIX, T, __global) M(PREFIX, T, __local) M(PREFIX, T, __generic)
SPACES(ARITHMETIC, atomic, int)
SPACES(ARITHMETIC, atomic, uint)
SPACES(ARITHMETIC, atom, int)
SPACES(ARITHMETIC, atom, uint)
SPACES(ARITHMETIC, atom, long)
SPACES(ARITHMETIC, atom, ulong)

#define EXCHANGE(PREFIX, T, SPACE) RMW(PREFIX, xchg, exchange, T, SPACE)
SPACES(EXCHANGE, atomic, float)
