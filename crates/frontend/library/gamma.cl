// tgamma, by Stirling's series: its powers have exact arguments, so that their errors are not magnified.

// The series holds from ten on; smaller arguments are raised to it by the recurrence. The power is taken in
// two equal parts, since it leaves the range before the whole does: gamma(x) = part * part * rest.
#define GAMMA(T, LARGEST, SMALLEST)                                                                  \
  OVERLOAD T pow(T, T);                                                                              \
  OVERLOAD T exp(T);                                                                                 \
  OVERLOAD T sinpi(T);                                                                               \
  static OVERLOAD T stirling(T x, __private T *part) {                                               \
    T steps = x < 10 ? __builtin_elementwise_ceil(10 - x) : 0;                                       \
    T product = 1;                                                                                   \
    for (T i = 0; i < steps; i += 1)                                                                 \
      product *= x + i;                                                                              \
    /* What the raised argument lost in rounding counts by the slope of log(gamma) around ten. */    \
    T raised = x + steps;                                                                            \
    T lost = x - (raised - steps);                                                                   \
    x = raised;                                                                                      \
    T r = 1 / x;                                                                                     \
    T s = r * r;                                                                                     \
    T series = (((((((T)(-3617.0 / 122400) * s + (T)(1.0 / 156)) * s - (T)(691.0 / 360360)) * s +    \
                   (T)(1.0 / 1188)) * s - (T)(1.0 / 1680)) * s + (T)(1.0 / 1260)) * s -              \
                (T)(1.0 / 360)) * s + (T)(1.0 / 12);                                                 \
    *part = pow(x, x / 2 - (T)0.25);                                                                 \
    return exp(-x) * (T)2.506628274631000502415765284811 * exp(series * r) * (1 + lost * (T)2.3) / product;                \
  }                                                                                                  \
  OVERLOAD T tgamma(T x) {                                                                           \
    T part;                                                                                          \
    if (x != x || x == -(T)INFINITY || (x < 0 && x == __builtin_elementwise_floor(x)))               \
      return (T)NAN;                                                                                 \
    if (x > (T)LARGEST)                                                                              \
      return (T)INFINITY;                                                                            \
    if (x > (T)-0.5) {                                                                                 \
      T rest = stirling(x, (__private T *)&part);                                                    \
      return part * rest * part;                                                                     \
    }                                                                                                \
    /* Reflected, with the exact argument -x instead of 1 - x. */                                    \
    if (x < (T)SMALLEST)                                                                             \
      return __builtin_elementwise_copysign((T)0, sinpi(x));                                         \
    T rest = stirling(-x, (__private T *)&part);                                                     \
    return (T)-3.1415926535897932384626433832795 / (x * sinpi(x)) / part / rest / part;              \
  }
GAMMA(float, 35.1, -42.5)
GAMMA(double, 171.7, -184.5)
