// Relational functions (OpenCL C 1.2, 6.12.6): 1 for true on scalars, all bits set in the lanes of vectors.

#define INFINITE(T, x) (__builtin_elementwise_abs(x) == (T)INFINITY)
#define SMALLEST_NORMAL(U, T, FRACTION) __builtin_astype((U)((U)1 << FRACTION), T)

#define UNARY(NAME, T, I, TEST)                                    \
  OVERLOAD int NAME(T x) { return TEST; }                          \
  OVERLOAD I __sluice_lane_##NAME(T x) { return (I)-(int)(TEST); }
#define BINARY(NAME, T, I, TEST)                                        \
  OVERLOAD int NAME(T x, T y) { return TEST; }                          \
  OVERLOAD I __sluice_lane_##NAME(T x, T y) { return (I)-(int)(TEST); }

#define RELATIONS(T, I, U, FRACTION)                                                  \
  BINARY(isequal, T, I, x == y)                                                       \
  BINARY(isnotequal, T, I, x != y)                                                    \
  BINARY(isgreater, T, I, x > y)                                                      \
  BINARY(isgreaterequal, T, I, x >= y)                                                \
  BINARY(isless, T, I, x < y)                                                         \
  BINARY(islessequal, T, I, x <= y)                                                   \
  BINARY(islessgreater, T, I, x < y || x > y)                                         \
  BINARY(isordered, T, I, x == x && y == y)                                           \
  BINARY(isunordered, T, I, x != x || y != y)                                         \
  UNARY(isfinite, T, I, __builtin_elementwise_abs(x) < (T)INFINITY)                   \
  UNARY(isinf, T, I, INFINITE(T, x))                                                  \
  UNARY(isnan, T, I, x != x)                                                          \
  UNARY(isnormal, T, I, __builtin_elementwise_abs(x) < (T)INFINITY &&                 \
                            __builtin_elementwise_abs(x) >= SMALLEST_NORMAL(U, T, FRACTION)) \
  UNARY(signbit, T, I, __builtin_astype(x, I) < 0)                                    \
  OVERLOAD T bitselect(T x, T y, T mask) {                                            \
    U bits = (__builtin_astype(x, U) & ~__builtin_astype(mask, U)) |                  \
             (__builtin_astype(y, U) & __builtin_astype(mask, U));                    \
    return __builtin_astype(bits, T);                                                 \
  }                                                                                   \
  SELECT(T, I, I)                                                                     \
  SELECT(T, U, I)

// A scalar condition counts when it is not zero, a lane's when its top bit is set.
#define SELECT(T, C, SIGNED)                                                                     \
  OVERLOAD T select(T no, T yes, C condition) { return condition ? yes : no; }                   \
  OVERLOAD T __sluice_lane_select(T no, T yes, C condition) { return (SIGNED)condition < 0 ? yes : no; }
EACH_FLOAT(RELATIONS)

#define ANY_ALL(T)                                                                                   \
  OVERLOAD int any(T x) { return x < 0; }                                                            \
  OVERLOAD int all(T x) { return x < 0; }                                                            \
  OVERLOAD int any(T##2 x) { return (T)(x.x | x.y) < 0; }                                            \
  OVERLOAD int all(T##2 x) { return (T)(x.x & x.y) < 0; }                                            \
  OVERLOAD int any(T##3 x) { return (T)(x.x | x.y | x.z) < 0; }                                      \
  OVERLOAD int all(T##3 x) { return (T)(x.x & x.y & x.z) < 0; }                                      \
  OVERLOAD int any(T##4 x) { return any(x.lo | x.hi); }                                              \
  OVERLOAD int all(T##4 x) { return all(x.lo & x.hi); }                                              \
  OVERLOAD int any(T##8 x) { return any(x.lo | x.hi); }                                              \
  OVERLOAD int all(T##8 x) { return all(x.lo & x.hi); }                                              \
  OVERLOAD int any(T##16 x) { return any(x.lo | x.hi); }                                             \
  OVERLOAD int all(T##16 x) { return all(x.lo & x.hi); }

#define INTEGERS(T, U, BITS, MIN, MAX, UMAX)                                              \
  OVERLOAD T bitselect(T x, T y, T mask) { return (x & ~mask) | (y & mask); }             \
  OVERLOAD U bitselect(U x, U y, U mask) { return (x & ~mask) | (y & mask); }             \
  SELECT(T, T, T)                                                                         \
  SELECT(T, U, T)                                                                         \
  SELECT(U, T, T)                                                                         \
  SELECT(U, U, T)                                                                         \
  ANY_ALL(T)
EACH_INTEGER_PAIR(INTEGERS)
