// Explicit conversions (OpenCL C 1.2, 6.2.3), scalar forms: convert_<type>[_sat][_rte|_rtz|_rtp|_rtn].

#define FOR_EACH_MODE(M, ...) M(_rte, __VA_ARGS__) M(_rtz, __VA_ARGS__) M(_rtp, __VA_ARGS__) M(_rtn, __VA_ARGS__)

// Integer to integer. The rounding mode has no meaning there but is allowed.
#define CLAMP_s_to_s(x, MIN, MAX) ((long)(x) < (long)MIN ? MIN : (long)(x) > (long)MAX ? MAX : (x))
#define CLAMP_s_to_u(x, MIN, MAX) ((x) < 0 ? 0 : (ulong)(x) > (ulong)MAX ? MAX : (x))
#define CLAMP_u_to_s(x, MIN, MAX) ((ulong)(x) > (ulong)MAX ? MAX : (x))
#define CLAMP_u_to_u(x, MIN, MAX) ((ulong)(x) > (ulong)MAX ? MAX : (x))
#define INTEGER_MODE(MODE, TO, FROM)                                                       \
  OVERLOAD TO convert_##TO##MODE(FROM x) { return (TO)x; }                                 \
  OVERLOAD TO convert_##TO##_sat##MODE(FROM x) { return convert_##TO##_sat(x); }
#define INTEGER(TO, TO_SIGN, MIN, MAX, FROM, FROM_SIGN)                                    \
  OVERLOAD TO convert_##TO(FROM x) { return (TO)x; }                                       \
  OVERLOAD TO convert_##TO##_sat(FROM x) { return (TO)CLAMP_##FROM_SIGN##_to_##TO_SIGN(x, MIN, MAX); } \
  FOR_EACH_MODE(INTEGER_MODE, TO, FROM)

// Float to integer: rounded in the float type first, which is exact, then cut. Saturation compares with the
// first power of two outside the range, which every float type holds exactly (half is widened first). NaN
// becomes zero.
#define ROUND_rtz(x) __builtin_elementwise_trunc(x)
#define ROUND_rte(x) __builtin_elementwise_rint(x)
#define ROUND_rtp(x) __builtin_elementwise_ceil(x)
#define ROUND_rtn(x) __builtin_elementwise_floor(x)
#define CUT_MODE(MODE, TO, MIN, MAX, BELOW, ABOVE, FROM, WIDE)                             \
  OVERLOAD TO convert_##TO##MODE(FROM x) { return (TO)ROUND##MODE(x); }                    \
  OVERLOAD TO convert_##TO##_sat##MODE(FROM x) {                                           \
    WIDE rounded = ROUND##MODE((WIDE)x);                                                   \
    return rounded != rounded         ? (TO)0                                              \
           : rounded < (WIDE)BELOW    ? (TO)MIN                                            \
           : rounded >= (WIDE)ABOVE   ? (TO)MAX                                            \
                                      : (TO)rounded;                                       \
  }
#define CUT(TO, MIN, MAX, BELOW, ABOVE, FROM, WIDE)                                        \
  FOR_EACH_MODE(CUT_MODE, TO, MIN, MAX, BELOW, ABOVE, FROM, WIDE)                          \
  OVERLOAD TO convert_##TO(FROM x) { return (TO)x; }                                       \
  OVERLOAD TO convert_##TO##_sat(FROM x) { return convert_##TO##_sat_rtz(x); }

#define TO_INTEGER(TO, SIGN, MIN, MAX, BELOW, ABOVE)                                       \
  INTEGER(TO, SIGN, MIN, MAX, char, s)                                                     \
  INTEGER(TO, SIGN, MIN, MAX, uchar, u)                                                    \
  INTEGER(TO, SIGN, MIN, MAX, short, s)                                                    \
  INTEGER(TO, SIGN, MIN, MAX, ushort, u)                                                   \
  INTEGER(TO, SIGN, MIN, MAX, int, s)                                                      \
  INTEGER(TO, SIGN, MIN, MAX, uint, u)                                                     \
  INTEGER(TO, SIGN, MIN, MAX, long, s)                                                     \
  INTEGER(TO, SIGN, MIN, MAX, ulong, u)                                                    \
  CUT(TO, MIN, MAX, BELOW, ABOVE, half, float)                                             \
  CUT(TO, MIN, MAX, BELOW, ABOVE, float, float)                                            \
  CUT(TO, MIN, MAX, BELOW, ABOVE, double, double)
TO_INTEGER(char, s, CHAR_MIN, CHAR_MAX, -0x1p7f, 0x1p7f)
TO_INTEGER(uchar, u, 0, UCHAR_MAX, 0, 0x1p8f)
TO_INTEGER(short, s, SHRT_MIN, SHRT_MAX, -0x1p15f, 0x1p15f)
TO_INTEGER(ushort, u, 0, USHRT_MAX, 0, 0x1p16f)
TO_INTEGER(int, s, INT_MIN, INT_MAX, -0x1p31f, 0x1p31f)
TO_INTEGER(uint, u, 0, UINT_MAX, 0, 0x1p32f)
TO_INTEGER(long, s, LONG_MIN, LONG_MAX, -0x1p63f, 0x1p63f)
TO_INTEGER(ulong, u, 0, ULONG_MAX, 0, 0x1p64f)

// To a float type: the hardware rounds to nearest even. The directed modes compare that result with the
// exact value and step to the neighbour where it lies on the wrong side. The steps see no NaN, and leave
// infinity towards the largest finite number, which is what a directed mode gives on overflow.
#define STEPS(T, I, U, FRACTION)                                                           \
  static OVERLOAD T step_up(T x) {                                                         \
    U bits = __builtin_astype(x, U);                                                       \
    return x == 0 ? __builtin_astype((U)1, T) : __builtin_astype((U)(x > 0 ? bits + 1 : bits - 1), T); \
  }                                                                                        \
  static OVERLOAD T step_down(T x) { return -step_up(-x); }
EACH_FLOAT(STEPS)

// Exact comparison of a rounded value with what it was rounded from. An int fits a double. Of a long only
// the rounded value's neighbourhood matters, where float and double are whole numbers; the longs
// that a double cannot hold are far above the range of half, so that rounding them does not change the order.
#define AS_DOUBLES(TO, FROM)                                                               \
  static OVERLOAD bool below(TO rounded, FROM exact) { return (double)rounded < (double)exact; } \
  static OVERLOAD bool above(TO rounded, FROM exact) { return (double)rounded > (double)exact; }
#define AS_INTEGERS(TO, FROM, OUTSIDE)                                                     \
  static OVERLOAD bool below(TO rounded, FROM exact) { return rounded < (TO)OUTSIDE && (FROM)rounded < exact; } \
  static OVERLOAD bool above(TO rounded, FROM exact) { return rounded >= (TO)OUTSIDE || (FROM)rounded > exact; }
#define SMALL_SOURCES(M, TO) M(TO, char) M(TO, uchar) M(TO, short) M(TO, ushort) M(TO, int) M(TO, uint) \
  M(TO, half) M(TO, float) M(TO, double)
SMALL_SOURCES(AS_DOUBLES, half)
SMALL_SOURCES(AS_DOUBLES, float)
SMALL_SOURCES(AS_DOUBLES, double)
AS_DOUBLES(half, long)
AS_DOUBLES(half, ulong)
AS_INTEGERS(float, long, 0x1p63f)
AS_INTEGERS(float, ulong, 0x1p64f)
AS_INTEGERS(double, long, 0x1p63f)
AS_INTEGERS(double, ulong, 0x1p64f)

#define TO_FLOAT(TO, FROM)                                                                 \
  OVERLOAD TO convert_##TO(FROM x) { return (TO)x; }                                       \
  OVERLOAD TO convert_##TO##_rte(FROM x) { return (TO)x; }                                 \
  OVERLOAD TO convert_##TO##_rtp(FROM x) {                                                 \
    TO nearest = (TO)x;                                                                    \
    return below(nearest, x) ? step_up(nearest) : nearest;                                 \
  }                                                                                        \
  OVERLOAD TO convert_##TO##_rtn(FROM x) {                                                 \
    TO nearest = (TO)x;                                                                    \
    return above(nearest, x) ? step_down(nearest) : nearest;                               \
  }                                                                                        \
  OVERLOAD TO convert_##TO##_rtz(FROM x) { return x < 0 ? convert_##TO##_rtp(x) : convert_##TO##_rtn(x); }
#define TO_FLOATS(FROM, ...) TO_FLOAT(half, FROM) TO_FLOAT(float, FROM) TO_FLOAT(double, FROM)
EACH_TYPE(TO_FLOATS, )
