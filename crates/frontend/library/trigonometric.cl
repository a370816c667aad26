// Sine, cosine and tangent in double, and of multiples of pi in float and double: an exact reduction to
// [-pi/4, pi/4] with an angle of twice the digits, then Taylor polynomials.

// The digits of 2/pi, behind 128 zeros.
static __constant ulong TWO_OVER_PI[20] = {
  0x0000000000000000, 0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
  0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
  0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
  0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
  0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
};

// An angle high + low, |high| <= pi/4, and how many quarter turns it was away.
#define ANGLE(T)         \
  struct angle_##T {     \
    T high;              \
    T low;               \
    uint quarter;        \
  };
ANGLE(float)
ANGLE(double)

// Sine and cosine of a small angle. SINE and COSINE are the polynomials in its square behind the first terms.
#define NEAR_ZERO(T, SINE, COSINE)                                          \
  static OVERLOAD T sine_near_zero(T x, T low) {                            \
    T z = x * x;                                                            \
    return x + (z * x * (SINE) + low * (1 - z / 2));                        \
  }                                                                         \
  static OVERLOAD T cosine_near_zero(T x, T low) {                          \
    T z = x * x;                                                            \
    T half_z = z / 2;                                                       \
    T leading = 1 - half_z;                                                 \
    return leading + (((1 - leading) - half_z) + (z * z * (COSINE) - x * low)); \
  }
NEAR_ZERO(float, -(1.0f / 6) + z * (1.0f / 120 + z * (-(1.0f / 5040) + z * (1.0f / 362880))),
          1.0f / 24 + z * (-(1.0f / 720) + z * (1.0f / 40320 - z * (1.0f / 3628800))))
NEAR_ZERO(double,
          -(1.0 / 6) + z * (1.0 / 120 + z * (-(1.0 / 5040) + z * (1.0 / 362880 + z * (-(1.0 / 39916800) +
              z * (1.0 / 6227020800 + z * (-(1.0 / 1307674368000) + z * (1.0 / 355687428096000))))))),
          1.0 / 24 + z * (-(1.0 / 720) + z * (1.0 / 40320 + z * (-(1.0 / 3628800) + z * (1.0 / 479001600 +
              z * (-(1.0 / 87178291200) + z * (1.0 / 20922789888000 - z * (1.0 / 6402373705728000))))))))

// Payne and Hanek: of x * 2/pi only the digits around the point are computed, from the digits of 2/pi that reach
// them. Two whole and 126 more are kept; no double comes closer than 2^-62 to a multiple of pi/2.
static struct angle_double reduce(double x) {
  struct angle_double angle;
  ulong bits = __builtin_astype(x, ulong);
  int exponent = (int)(bits >> 52);
  ulong fraction = (bits << 11) | (1ul << 63);
  // Below pi/4 the result is not used, but the table must be read inside.
  uint first = (uint)((exponent < 1022 ? 1022 : exponent) - 960);
  uint word = first >> 6, shift = first & 63;
  ulong a = TWO_OVER_PI[word], b = TWO_OVER_PI[word + 1], c = TWO_OVER_PI[word + 2], d = TWO_OVER_PI[word + 3];
  ulong top = shift == 0 ? a : a << shift | b >> (64 - shift);
  ulong middle = shift == 0 ? b : b << shift | c >> (64 - shift);
  ulong bottom = shift == 0 ? c : c << shift | d >> (64 - shift);
  ulong low = fraction * middle;
  ulong carried = low + __sluice_mul_hi_u64(fraction, bottom);
  ulong high = fraction * top + __sluice_mul_hi_u64(fraction, middle) + (carried < low);
  // The nearest quarter, and what is left of it: a signed fraction of 128 bits.
  uint quarter = (uint)((high + (1ul << 61)) >> 62);
  ulong rest = high << 2 | carried >> 62;
  ulong rest_low = carried << 2;
  ulong sign = (ulong)((long)rest >> 63);
  rest ^= sign;
  rest_low ^= sign;
  int zeros = __builtin_clzl(rest | 1);
  rest = rest << zeros | rest_low >> (64 - zeros);
  rest_low <<= zeros;
  double scale = __builtin_astype((ulong)(1023 - 53 - zeros) << 52, double);
  double leading = (double)(long)(rest >> 11) * scale;
  double trailing = (double)(long)((rest & 0x7ff) << 42 | rest_low >> 22) * (scale * 0x1p-53);
  double product = leading * 0x1.921fb54442d18p+0;
  double lost = __builtin_elementwise_fma(leading, 0x1.921fb54442d18p+0, -product) +
                (leading * 0x1.1a62633145c07p-54 + trailing * 0x1.921fb54442d18p+0);
  double sum = product + lost;
  double sum_low = product - sum + lost;
  bool is_small = x < 0x1.921fb54442d18p-1;
  angle.high = is_small ? x : sign ? -sum : sum;
  angle.low = is_small ? 0 : sign ? -sum_low : sum_low;
  angle.quarter = is_small ? 0 : quarter & 3;
  return angle;
}

// pi times x, which is not negative. Everything but the product is exact.
#define REDUCE_HALF_TURNS(T, PI, PI_LOW)                                             \
  static OVERLOAD struct angle_##T reduce_half_turns(T x) {                          \
    struct angle_##T angle;                                                          \
    T turn = x - 2 * __builtin_elementwise_floor(x * (T)0.5);                        \
    T quarters = __builtin_elementwise_rint(2 * turn);                               \
    T rest = turn - quarters * (T)0.5;                                               \
    angle.high = rest * PI;                                                          \
    angle.low = __builtin_elementwise_fma(rest, PI, -angle.high) + rest * PI_LOW;    \
    angle.quarter = (uint)(int)quarters & 3;                                         \
    return angle;                                                                    \
  }
REDUCE_HALF_TURNS(float, 0x1.921fb6p+1f, -0x1.777a5cp-24f)
REDUCE_HALF_TURNS(double, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53)

// From the sine and cosine of the reduced angle to those of the whole one, which is not negative.
#define WHOLE(T)                                                             \
  static OVERLOAD T sine(struct angle_##T angle) {                           \
    T small_sine = sine_near_zero(angle.high, angle.low);                    \
    T small_cosine = cosine_near_zero(angle.high, angle.low);                \
    T value = angle.quarter & 1 ? small_cosine : small_sine;                 \
    return angle.quarter & 2 ? -value : value;                               \
  }                                                                          \
  static OVERLOAD T cosine(struct angle_##T angle) {                         \
    angle.quarter += 1;                                                      \
    return sine(angle);                                                      \
  }                                                                          \
  static OVERLOAD T tangent(struct angle_##T angle) {                        \
    T small_sine = sine_near_zero(angle.high, angle.low);                    \
    T small_cosine = cosine_near_zero(angle.high, angle.low);                \
    T above = angle.quarter & 1 ? -small_cosine : small_sine;                \
    T below = angle.quarter & 1 ? small_sine : small_cosine;                 \
    return above / below;                                                    \
  }
WHOLE(float)
WHOLE(double)

static bool is_finite(double x) { return __builtin_elementwise_abs(x) < (double)INFINITY; }

OVERLOAD double sin(double x) {
  double value = sine(reduce(__builtin_elementwise_abs(x)));
  return is_finite(x) ? x == 0 ? x : x < 0 ? -value : value : (double)NAN;
}
OVERLOAD double cos(double x) {
  double value = cosine(reduce(__builtin_elementwise_abs(x)));
  return is_finite(x) ? value : (double)NAN;
}
OVERLOAD double tan(double x) {
  double value = tangent(reduce(__builtin_elementwise_abs(x)));
  return is_finite(x) ? x == 0 ? x : x < 0 ? -value : value : (double)NAN;
}
OVERLOAD double sincos(double x, __private double *cosine_of_x) {
  struct angle_double angle = reduce(__builtin_elementwise_abs(x));
  double value = sine(angle);
  *cosine_of_x = is_finite(x) ? cosine(angle) : (double)NAN;
  return is_finite(x) ? x == 0 ? x : x < 0 ? -value : value : (double)NAN;
}

// At multiples of a half the results are exact, and the specification names their signs: sinpi is a zero with the
// sign of x, cospi a positive zero, tanpi changes the sign of zeros and infinities from one to the next.
#define OF_HALF_TURNS(T)                                                                  \
  OVERLOAD T sinpi(T x) {                                                                 \
    T size = __builtin_elementwise_abs(x);                                                \
    struct angle_##T angle = reduce_half_turns(size);                                     \
    T value = angle.high == 0 && !(angle.quarter & 1) ? (T)0 : sine(angle);               \
    return size < (T)INFINITY ? __builtin_astype(x, JOIN(bits_of_, T)) < 0 ? -value : value : (T)NAN; \
  }                                                                                       \
  OVERLOAD T cospi(T x) {                                                                 \
    T size = __builtin_elementwise_abs(x);                                                \
    struct angle_##T angle = reduce_half_turns(size);                                     \
    T value = angle.high == 0 && (angle.quarter & 1) ? (T)0 : cosine(angle);              \
    return size < (T)INFINITY ? value : (T)NAN;                                           \
  }                                                                                       \
  OVERLOAD T tanpi(T x) {                                                                 \
    T size = __builtin_elementwise_abs(x);                                                \
    struct angle_##T angle = reduce_half_turns(size);                                     \
    T exact = angle.quarter & 1 ? (T)INFINITY : (T)0;                                     \
    exact = angle.quarter & 2 ? -exact : exact;                                           \
    T value = angle.high == 0 ? exact : tangent(angle);                                   \
    return size < (T)INFINITY ? __builtin_astype(x, JOIN(bits_of_, T)) < 0 ? -value : value : (T)NAN; \
  }
typedef int bits_of_float;
typedef long bits_of_double;
OF_HALF_TURNS(float)
OF_HALF_TURNS(double)
