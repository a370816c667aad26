// The hard functions on half, computed in float: every half is a float, and float carries more than twice
// its digits, so rounding twice stays within the bounds of the specification.

#define UNARY(NAME)                \
  OVERLOAD float NAME(float);      \
  OVERLOAD half NAME(half x) { return (half)NAME((float)x); }
UNARY(acos) UNARY(acosh) UNARY(acospi) UNARY(asin) UNARY(asinh) UNARY(asinpi) UNARY(atan) UNARY(atanh)
UNARY(atanpi) UNARY(cbrt) UNARY(cos) UNARY(cosh) UNARY(cospi) UNARY(erf) UNARY(erfc) UNARY(exp)
UNARY(exp10) UNARY(exp2) UNARY(expm1) UNARY(lgamma) UNARY(log) UNARY(log10) UNARY(log1p) UNARY(log2)
UNARY(logb) UNARY(sin) UNARY(sinh) UNARY(sinpi) UNARY(tan) UNARY(tanh) UNARY(tanpi) UNARY(tgamma)

#define BINARY(NAME)                 \
  OVERLOAD float NAME(float, float); \
  OVERLOAD half NAME(half x, half y) { return (half)NAME((float)x, (float)y); }
BINARY(atan2) BINARY(atan2pi) BINARY(fmod) BINARY(hypot) BINARY(pow) BINARY(powr) BINARY(remainder)

#define WITH_INTEGER(NAME)         \
  OVERLOAD float NAME(float, int); \
  OVERLOAD half NAME(half x, int n) { return (half)NAME((float)x, n); }
WITH_INTEGER(ldexp) WITH_INTEGER(pown) WITH_INTEGER(rootn)

OVERLOAD int ilogb(float);
OVERLOAD int ilogb(half x) { return ilogb((float)x); }
