// Functions with a second result through a pointer. The private-pointer form computes; the pointer's
// address space and the type half are added here.

#define COMPUTED(T)                                                                \
  OVERLOAD T sincos(T, __private T *);                                             \
  OVERLOAD T frexp(T, __private int *);                                            \
  OVERLOAD T lgamma_r(T, __private int *);                                         \
  OVERLOAD T remquo(T, T, __private int *);
COMPUTED(float)
COMPUTED(double)

// The largest value below one keeps fract in [0, 1) where x - floor(x) rounds up.
#define SPLIT(T, BELOW_ONE)                                                        \
  OVERLOAD T fract(T x, __private T *whole) {                                      \
    T below = __builtin_elementwise_floor(x);                                      \
    *whole = below;                                                                \
    if (__builtin_elementwise_abs(x) == (T)INFINITY)                               \
      return __builtin_elementwise_copysign((T)0, x);                              \
    T rest = __builtin_elementwise_copysign(x - below, x == 0 ? x : (T)1);         \
    return x != x ? x : rest < BELOW_ONE ? rest : BELOW_ONE;                       \
  }                                                                                \
  OVERLOAD T modf(T x, __private T *whole) {                                       \
    T towards_zero = __builtin_elementwise_trunc(x);                               \
    *whole = towards_zero;                                                         \
    T rest = __builtin_elementwise_abs(x) == (T)INFINITY ? (T)0 : x - towards_zero; \
    return __builtin_elementwise_copysign(rest, x);                                \
  }
SPLIT(half, (half)0.99951171875)
SPLIT(float, 0x1.fffffep-1f)
SPLIT(double, 0x1.fffffffffffffp-1)

OVERLOAD half sincos(half x, __private half *cosine) {
  float wide;
  half sine = (half)sincos((float)x, &wide);
  *cosine = (half)wide;
  return sine;
}
OVERLOAD half frexp(half x, __private int *exponent) { return (half)frexp((float)x, exponent); }
OVERLOAD half lgamma_r(half x, __private int *sign) { return (half)lgamma_r((float)x, sign); }
OVERLOAD half remquo(half x, half y, __private int *quotient) {
  return (half)remquo((float)x, (float)y, quotient);
}

#define UNARY(NAME, T, R, SPACE)                       \
  OVERLOAD T NAME(T x, SPACE R *second) {              \
    __private R value;                                 \
    T first = NAME(x, (__private R *)&value);          \
    *second = value;                                   \
    return first;                                      \
  }
#define REMQUO(T, SPACE)                                       \
  OVERLOAD T remquo(T x, T y, SPACE int *second) {             \
    __private int value;                                       \
    T first = remquo(x, y, (__private int *)&value);           \
    *second = value;                                           \
    return first;                                              \
  }
#define ALL(T, SPACE)             \
  UNARY(fract, T, T, SPACE)       \
  UNARY(modf, T, T, SPACE)        \
  UNARY(sincos, T, T, SPACE)      \
  UNARY(frexp, T, int, SPACE)     \
  UNARY(lgamma_r, T, int, SPACE)  \
  REMQUO(T, SPACE)
#define SPACES(T) ALL(T, __global) ALL(T, __local) ALL(T, __generic)
SPACES(half)
SPACES(float)
SPACES(double)
