// tgamma, by Stirling's series: its powers have exact arguments, so that their errors are not magnified; lgamma
// in float near zero and at negative infinity.

// The series holds from ten on; smaller arguments are raised to it by the recurrence. The power is taken in
// two equal parts, since it leaves the range before the whole does: gamma(x) = part * part * rest.
#define GAMMA(T, LARGEST, SMALLEST)                                                                  \
  OVERLOAD T pow(T, T);                                                                              \
  OVERLOAD T exp(T);                                                                                 \
  OVERLOAD T sinpi(T);                                                                               \
  static OVERLOAD T stirling(T x, __private T *part) {                                               \
    T steps = x < 10 ? __builtin_elementwise_ceil(10 - x) : 0;                                       \
    /* The first factor is x itself: a negative zero keeps its sign. */                              \
    T product = x < 10 ? x : 1;                                                                      \
    for (T i = 1; i < steps; i += 1)                                                                 \
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

// libclc's float functions give negative infinity there, and near zero an infinity before they should.
OVERLOAD float log(float);
OVERLOAD float libclc_lgamma_r(float, __private int *) __asm__("_Z8lgamma_rfPi.replaced");
OVERLOAD float lgamma_r(float x, __private int *sign) {
  float size = __builtin_elementwise_abs(x);
  if (size < 0x1p-25f && size > 0) {
    *sign = x < 0 ? -1 : 1;
    return -log(size);
  }
  float value = libclc_lgamma_r(x, sign);
  return size == INFINITY ? INFINITY : value;
}
OVERLOAD float lgamma(float x) {
  int sign;
  return lgamma_r(x, (__private int *)&sign);
}
