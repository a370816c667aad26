// Floating-point functions that are exact, or that follow from exact ones by a line of arithmetic
// (OpenCL C 1.2, 6.12.2 and 6.12.4). The hard ones (sin, exp, pow, ...) come from libclc.

#define EXACT(T, I, U, FRACTION)                                                               \
  OVERLOAD T fabs(T x) { return __builtin_elementwise_abs(x); }                                \
  OVERLOAD T ceil(T x) { return __builtin_elementwise_ceil(x); }                               \
  OVERLOAD T floor(T x) { return __builtin_elementwise_floor(x); }                             \
  OVERLOAD T trunc(T x) { return __builtin_elementwise_trunc(x); }                             \
  OVERLOAD T rint(T x) { return __builtin_elementwise_rint(x); }                               \
  OVERLOAD T round(T x) { return __builtin_elementwise_round(x); }                             \
  OVERLOAD T sqrt(T x) { return __builtin_elementwise_sqrt(x); }                               \
  OVERLOAD T copysign(T x, T y) { return __builtin_elementwise_copysign(x, y); }               \
  OVERLOAD T fma(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }                 \
  OVERLOAD T fmin(T x, T y) { return __builtin_elementwise_min(x, y); }                        \
  OVERLOAD T fmax(T x, T y) { return __builtin_elementwise_max(x, y); }                        \
  OVERLOAD T mad(T x, T y, T z) { return x * y + z; }                                          \
  OVERLOAD T fdim(T x, T y) { return x > y ? x - y : x <= y ? (T)0 : x + y; }                  \
  OVERLOAD T min(T x, T y) { return y < x ? y : x; }                                           \
  OVERLOAD T max(T x, T y) { return x < y ? y : x; }                                           \
  OVERLOAD T clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }                    \
  OVERLOAD T mix(T x, T y, T a) { return x + (y - x) * a; }                                    \
  OVERLOAD T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                              \
  OVERLOAD T sign(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x == 0 ? x : (T)0; }            \
  OVERLOAD T degrees(T x) { return x * (T)57.295779513082320876798154814105; }                 \
  OVERLOAD T radians(T x) { return x * (T)0.017453292519943295769236907684886; }               \
  OVERLOAD T smoothstep(T low, T high, T x) {                                                  \
    T t = clamp((x - low) / (high - low), (T)0, (T)1);                                         \
    return t * t * ((T)3 - (T)2 * t);                                                          \
  }                                                                                            \
  OVERLOAD T maxmag(T x, T y) {                                                                \
    return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y);                         \
  }                                                                                            \
  OVERLOAD T minmag(T x, T y) {                                                                \
    return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y);                         \
  }                                                                                            \
  OVERLOAD T nan(U code) {                                                                     \
    const U fraction = ((U)1 << FRACTION) - 1;                                                 \
    const U infinity = (U)((U)~((U)1 << (sizeof(U) * 8 - 1)) & (U)~fraction);                  \
    return __builtin_astype((U)(infinity | ((U)1 << (FRACTION - 1)) | (code & fraction)), T);  \
  }                                                                                            \
  OVERLOAD T nextafter(T x, T y) {                                                             \
    const I top = (I)((U)1 << (sizeof(U) * 8 - 1));                                            \
    /* As sign-magnitude integers made two's complement, neighbours differ by one. */          \
    I from = __builtin_astype(x, I);                                                           \
    I to = __builtin_astype(y, I);                                                             \
    I from_rank = from < 0 ? (I)(top - from) : from;                                           \
    I to_rank = to < 0 ? (I)(top - to) : to;                                                   \
    I rank = (I)(from_rank + (from_rank < to_rank ? 1 : -1));                                  \
    /* From a negative number to zero keeps the sign. */                                       \
    I next = rank < 0 || (rank == 0 && from < 0) ? (I)(top - rank) : rank;                     \
    return x != x || y != y ? x + y : x == y ? y : __builtin_astype(next, T);                  \
  }
EACH_FLOAT(EXACT)

// libclc queries the target's features, and has a software fused multiply-add for targets without one.
bool __clc_fp16_subnormals_supported(void) { return true; }
bool __clc_fp32_subnormals_supported(void) { return true; }
bool __clc_fp64_subnormals_supported(void) { return true; }
bool __clc_runtime_has_hw_fma32(void) { return true; }
OVERLOAD float __clc_sw_fma(float x, float y, float z) { return fma(x, y, z); }
