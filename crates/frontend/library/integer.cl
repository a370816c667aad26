// Integer functions (OpenCL C 1.2, 6.12.3).

#define BOTH(T, U, BITS, MIN, MAX)                                                            \
  OVERLOAD T min(T x, T y) { return y < x ? y : x; }                                          \
  OVERLOAD T max(T x, T y) { return x < y ? y : x; }                                          \
  OVERLOAD T clamp(T x, T low, T high) { return min(max(x, low), high); }                     \
  OVERLOAD U abs_diff(T x, T y) { return x > y ? (U)x - (U)y : (U)y - (U)x; }                 \
  OVERLOAD T hadd(T x, T y) { return (x >> 1) + (y >> 1) + (x & y & 1); }                     \
  OVERLOAD T rhadd(T x, T y) { return (x >> 1) + (y >> 1) + ((x | y) & 1); }                  \
  OVERLOAD T rotate(T x, T by) { return (T)__builtin_rotateleft##BITS((U)x, (U)by); }         \
  OVERLOAD T mad_hi(T x, T y, T z) { return mul_hi(x, y) + z; }

#define PAIR(T, U, BITS, MIN, MAX, UMAX)                                    \
  OVERLOAD U abs(T x) { return (U)__builtin_elementwise_abs(x); }           \
  OVERLOAD U abs(U x) { return x; }                                         \
  BOTH(T, U, BITS, MIN, MAX)                                                \
  BOTH(U, U, BITS, 0, UMAX)

#define CLAMPED(T, exact, MIN, MAX) ((exact) < MIN ? (T)MIN : (exact) > MAX ? (T)MAX : (T)(exact))
#define SATURATING(T, MIN, MAX)                                                               \
  OVERLOAD T add_sat(T x, T y) { return CLAMPED(T, (int)x + (int)y, MIN, MAX); }              \
  OVERLOAD T sub_sat(T x, T y) { return CLAMPED(T, (int)x - (int)y, MIN, MAX); }
SATURATING(char, CHAR_MIN, CHAR_MAX)
SATURATING(uchar, 0, UCHAR_MAX)
SATURATING(short, SHRT_MIN, SHRT_MAX)
SATURATING(ushort, 0, USHRT_MAX)

// clang's saturating builtins would widen anything shorter than an int.
#define SATURATING_WORD(T)                                                                    \
  OVERLOAD T add_sat(T x, T y) { return __builtin_elementwise_add_sat(x, y); }                \
  OVERLOAD T sub_sat(T x, T y) { return __builtin_elementwise_sub_sat(x, y); }
SATURATING_WORD(int)
SATURATING_WORD(uint)
SATURATING_WORD(long)
SATURATING_WORD(ulong)

// Up to 32 bits the double-width product fits an ordinary multiplier.
#define NARROW(T, WIDE, BITS, MIN, MAX)                                                       \
  OVERLOAD T mul_hi(T x, T y) { return (T)(((WIDE)x * (WIDE)y) >> BITS); }                    \
  OVERLOAD T mad_sat(T x, T y, T z) {                                                         \
    WIDE exact = (WIDE)x * (WIDE)y + (WIDE)z;                                                 \
    return exact < (WIDE)MIN ? (T)MIN : exact > (WIDE)MAX ? (T)MAX : (T)exact;                \
  }
NARROW(char, short, 8, CHAR_MIN, CHAR_MAX)
NARROW(uchar, uint, 8, 0, UCHAR_MAX)
NARROW(short, int, 16, SHRT_MIN, SHRT_MAX)
NARROW(ushort, uint, 16, 0, USHRT_MAX)
NARROW(int, long, 32, INT_MIN, INT_MAX)
NARROW(uint, ulong, 32, 0, UINT_MAX)

OVERLOAD long mul_hi(long x, long y) { return __sluice_mul_hi_s64(x, y); }
OVERLOAD ulong mul_hi(ulong x, ulong y) { return __sluice_mul_hi_u64(x, y); }

OVERLOAD long mad_sat(long x, long y, long z) {
  ulong low = (ulong)x * (ulong)y;
  ulong sum = low + (ulong)z;
  long high = mul_hi(x, y) + (z >> 63) + (long)(sum < low);
  return high == ((long)sum >> 63) ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}

OVERLOAD ulong mad_sat(ulong x, ulong y, ulong z) {
  ulong low = x * y;
  ulong sum = low + z;
  return (mul_hi(x, y) != 0 || sum < low) ? ULONG_MAX : sum;
}

EACH_INTEGER_PAIR(PAIR)

#define COUNTS(T, U, BITS, WORD, SUFFIX)                                                              \
  OVERLOAD T clz(T x) { return x == 0 ? BITS : JOIN(__builtin_clz, SUFFIX)((WORD)(U)x) - ((int)sizeof(WORD) * 8 - BITS); } \
  OVERLOAD T ctz(T x) { return x == 0 ? BITS : JOIN(__builtin_ctz, SUFFIX)((WORD)(U)x); }             \
  OVERLOAD T popcount(T x) { return JOIN(__builtin_popcount, SUFFIX)((WORD)(U)x); }
COUNTS(char, uchar, 8, uint, )
COUNTS(uchar, uchar, 8, uint, )
COUNTS(short, ushort, 16, uint, )
COUNTS(ushort, ushort, 16, uint, )
COUNTS(int, uint, 32, uint, )
COUNTS(uint, uint, 32, uint, )
COUNTS(long, ulong, 64, ulong, l)
COUNTS(ulong, ulong, 64, ulong, l)

#define UPSAMPLE(WIDE, UWIDE, T, U, BITS)                                                   \
  OVERLOAD WIDE upsample(T high, U low) { return (WIDE)(((UWIDE)(WIDE)high << BITS) | low); } \
  OVERLOAD UWIDE upsample(U high, U low) { return ((UWIDE)high << BITS) | low; }
UPSAMPLE(short, ushort, char, uchar, 8)
UPSAMPLE(int, uint, short, ushort, 16)
UPSAMPLE(long, ulong, int, uint, 32)

// Operands outside 24 bits give an implementation-defined result: cutting them off here lets the
// multiplier be 24 bits wide.
OVERLOAD int mul24(int x, int y) { return ((x << 8) >> 8) * ((y << 8) >> 8); }
OVERLOAD uint mul24(uint x, uint y) { return (x & 0xffffffu) * (y & 0xffffffu); }
OVERLOAD int mad24(int x, int y, int z) { return mul24(x, y) + z; }
OVERLOAD uint mad24(uint x, uint y, uint z) { return mul24(x, y) + z; }
