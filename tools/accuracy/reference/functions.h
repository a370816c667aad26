// The functions whose results are rounded, in the order in which they are numbered: with one argument and with two
// (an integer argument arrives as a number).
#define UNARY_REFERENCES(X)                                                                          \
  X(acos) X(acosh) X(acospi) X(asin) X(asinh) X(asinpi) X(atan) X(atanh) X(atanpi) X(cbrt) X(cos)    \
  X(cosh) X(cospi) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) X(lgamma) X(log) X(log10)         \
  X(log1p) X(log2) X(recip) X(rsqrt) X(sin) X(sinh) X(sinpi) X(tan) X(tanh) X(tanpi) X(tgamma)
#define BINARY_REFERENCES(X)                                                                         \
  X(atan2) X(atan2pi) X(divide) X(hypot) X(pow) X(pown) X(powr) X(rootn)
