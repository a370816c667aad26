// fmod, remainder and remquo: exact, by long division on the fractions, one bit of the quotient per round.

// |x| modulo |y| for finite x and y other than zero; *quotient holds the low bits of the whole quotient.
#define DIVIDE(T, I, U, FRACTION)                                                      \
  static OVERLOAD int leading_zeros(U x) {                                             \
    return sizeof(U) == 8 ? __builtin_clzl(x) - (63 - FRACTION) : __builtin_clz(x) - (31 - FRACTION); \
  }                                                                                    \
  static OVERLOAD T divide(T x, T y, __private uint *quotient) {                       \
    U above = __builtin_astype(x, U);                                                  \
    U below = __builtin_astype(y, U);                                                  \
    uint bits = 0;                                                                     \
    *quotient = 0;                                                                     \
    if (above < below)                                                                 \
      return x;                                                                        \
    int above_exponent = (int)(above >> FRACTION);                                     \
    int below_exponent = (int)(below >> FRACTION);                                     \
    above &= ((U)1 << FRACTION) - 1;                                                   \
    below &= ((U)1 << FRACTION) - 1;                                                   \
    /* A denormal is brought into the form of the others, with an exponent below one. */ \
    int above_shift = above_exponent == 0 ? leading_zeros(above) : 0;                  \
    int below_shift = below_exponent == 0 ? leading_zeros(below) : 0;                  \
    above = above_exponent == 0 ? above << above_shift : above | (U)1 << FRACTION;     \
    below = below_exponent == 0 ? below << below_shift : below | (U)1 << FRACTION;     \
    above_exponent = above_exponent == 0 ? 1 - above_shift : above_exponent;           \
    below_exponent = below_exponent == 0 ? 1 - below_shift : below_exponent;           \
    for (int round = above_exponent - below_exponent; round > 0; round--) {            \
      bits = bits << 1 | (above >= below);                                             \
      above = (above >= below ? above - below : above) << 1;                           \
    }                                                                                  \
    *quotient = bits << 1 | (above >= below);                                          \
    above = above >= below ? above - below : above;                                    \
    if (above == 0)                                                                    \
      return 0;                                                                        \
    int shift = leading_zeros(above);                                                  \
    int exponent = below_exponent - shift;                                             \
    above <<= shift;                                                                   \
    U normal = (above & (((U)1 << FRACTION) - 1)) | (U)exponent << FRACTION;           \
    return __builtin_astype(exponent > 0 ? normal : above >> (1 - exponent), T);       \
  }                                                                                    \
  OVERLOAD T fmod(T x, T y) {                                                          \
    T above = __builtin_elementwise_abs(x);                                            \
    T below = __builtin_elementwise_abs(y);                                            \
    uint quotient;                                                                     \
    if (!(above < (T)INFINITY) || !(below > 0))                                        \
      return (T)NAN;                                                                   \
    if (below == (T)INFINITY)                                                          \
      return x;                                                                        \
    return __builtin_elementwise_copysign(divide(above, below, (__private uint *)&quotient), x); \
  }                                                                                    \
  OVERLOAD T remquo(T x, T y, __private int *quotient) {                               \
    T above = __builtin_elementwise_abs(x);                                            \
    T below = __builtin_elementwise_abs(y);                                            \
    *quotient = 0;                                                                     \
    if (!(above < (T)INFINITY) || !(below > 0))                                        \
      return (T)NAN;                                                                   \
    if (below == (T)INFINITY)                                                          \
      return x;                                                                        \
    uint whole;                                                                        \
    T rest = divide(above, below, (__private uint *)&whole);                           \
    /* To the nearest quotient, the even one of two; twice the rest might overflow. */ \
    T missing = below - rest;                                                          \
    bool up = rest > missing || (rest == missing && (whole & 1));                      \
    rest = up ? rest - below : rest;                                                   \
    int low = (int)((whole + up) & 0x7f);                                              \
    bool opposite = (__builtin_astype(x, I) ^ __builtin_astype(y, I)) < 0;             \
    *quotient = opposite ? -low : low;                                                 \
    bool negative = __builtin_astype(x, I) < 0;                                        \
    return rest == 0 ? __builtin_elementwise_copysign((T)0, x) : negative ? -rest : rest; \
  }                                                                                    \
  OVERLOAD T remainder(T x, T y) {                                                     \
    int quotient;                                                                      \
    return remquo(x, y, (__private int *)&quotient);                                   \
  }
DIVIDE(float, int, uint, 23)
DIVIDE(double, long, ulong, 52)
