// ldexp: the exponent is an integer, so that it is added as one; rounding happens where the result is subnormal.

#define LDEXP(T, U, FRACTION)                                                              \
  OVERLOAD T ldexp(T x, int n) {                                                           \
    const int largest = (1 << (sizeof(U) * 8 - 1 - FRACTION)) - 1;                         \
    const U one = (U)1 << FRACTION;                                                        \
    U bits = __builtin_astype(x, U);                                                       \
    U sign = bits & (U)1 << (sizeof(U) * 8 - 1);                                           \
    int exponent = (int)(bits >> FRACTION) & largest;                                      \
    U fraction = bits & (one - 1);                                                         \
    if (exponent == largest || (bits ^ sign) == 0)                                         \
      return x;                                                                            \
    /* A subnormal number is brought into the form of the others. */                       \
    int shift = exponent == 0 ? (int)CLZ_##U(fraction) - (int)(sizeof(U) * 8 - 1 - FRACTION) : 0; \
    fraction = exponent == 0 ? fraction << shift : fraction | one;                         \
    exponent = exponent == 0 ? 1 - shift : exponent;                                       \
    /* Farther than from one end of the range to the other makes no difference. */         \
    const int farthest = largest + FRACTION + 2;                                           \
    exponent += n > farthest ? farthest : n < -farthest ? -farthest : n;                   \
    /* Right of the last digit by two places or more, nothing is left. */                  \
    int places = exponent > 0 ? 0 : exponent < -FRACTION ? FRACTION + 2 : 1 - exponent;    \
    U kept = fraction >> places;                                                           \
    U rounding = (((U)1 << places) >> 1) - (places != 0) + (places != 0 && (kept & 1));    \
    U small = (fraction + rounding) >> places;                                             \
    U normal = (fraction & (one - 1)) | (U)exponent << FRACTION;                           \
    U infinite = (U)largest << FRACTION;                                                   \
    U result = exponent >= largest ? infinite : exponent > 0 ? normal : small;             \
    return __builtin_astype((U)(sign | result), T);                                        \
  }
#define CLZ_uint(x) __builtin_clz(x)
#define CLZ_ulong(x) __builtin_clzl(x)
LDEXP(float, uint, 23)
LDEXP(double, ulong, 52)
