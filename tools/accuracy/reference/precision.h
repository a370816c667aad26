// The references in one precision: REAL is its type, C(name) its function of the C library, NAMED(name) the
// symbol to define, CONSTANT(x) a literal. Included once per precision.

static const REAL NAMED(pi) = CONSTANT(3.14159265358979323846264338327950288419716939937510);

static REAL NAMED(acos)(REAL x) { return C(acos)(x); }
static REAL NAMED(acosh)(REAL x) { return C(acosh)(x); }
static REAL NAMED(acospi)(REAL x) { return C(acos)(x) / NAMED(pi); }
static REAL NAMED(asin)(REAL x) { return C(asin)(x); }
static REAL NAMED(asinh)(REAL x) { return C(asinh)(x); }
static REAL NAMED(asinpi)(REAL x) { return C(asin)(x) / NAMED(pi); }
static REAL NAMED(atan)(REAL x) { return C(atan)(x); }
static REAL NAMED(atanh)(REAL x) { return C(atanh)(x); }
static REAL NAMED(atanpi)(REAL x) { return C(atan)(x) / NAMED(pi); }
static REAL NAMED(cbrt)(REAL x) { return C(cbrt)(x); }
static REAL NAMED(cos)(REAL x) { return C(cos)(x); }
static REAL NAMED(cosh)(REAL x) { return C(cosh)(x); }
static REAL NAMED(erf)(REAL x) { return C(erf)(x); }
static REAL NAMED(erfc)(REAL x) { return C(erfc)(x); }
static REAL NAMED(exp)(REAL x) { return C(exp)(x); }
static REAL NAMED(exp10)(REAL x) { return C(exp10)(x); }
static REAL NAMED(exp2)(REAL x) { return C(exp2)(x); }
static REAL NAMED(expm1)(REAL x) { return C(expm1)(x); }
static REAL NAMED(log)(REAL x) { return C(log)(x); }
static REAL NAMED(log10)(REAL x) { return C(log10)(x); }
static REAL NAMED(log1p)(REAL x) { return C(log1p)(x); }
static REAL NAMED(log2)(REAL x) { return C(log2)(x); }
static REAL NAMED(recip)(REAL x) { return 1 / x; }
static REAL NAMED(sin)(REAL x) { return C(sin)(x); }
static REAL NAMED(sinh)(REAL x) { return C(sinh)(x); }
static REAL NAMED(tan)(REAL x) { return C(tan)(x); }
static REAL NAMED(tanh)(REAL x) { return C(tanh)(x); }
static REAL NAMED(tgamma)(REAL x) { return C(tgamma)(x); }
static REAL NAMED(atan2)(REAL y, REAL x) { return C(atan2)(y, x); }
static REAL NAMED(atan2pi)(REAL y, REAL x) { return C(atan2)(y, x) / NAMED(pi); }
static REAL NAMED(divide)(REAL x, REAL y) { return x / y; }
static REAL NAMED(hypot)(REAL x, REAL y) { return C(hypot)(x, y); }
static REAL NAMED(pow)(REAL x, REAL y) { return C(pow)(x, y); }
static REAL NAMED(pown)(REAL x, REAL n) { return C(pow)(x, n); }

// C returns the sign in a global variable.
static REAL NAMED(lgamma)(REAL x) {
  int sign;
  return CR(lgamma)(x, &sign);
}

// OpenCL says nothing of the pole's sign; IEEE 754 does.
static REAL NAMED(rsqrt)(REAL x) { return 1 / C(sqrt)(x); }

// x = 2k + quarter / 2 + rest, all of it exact; |rest| <= 1/4.
static int NAMED(quarter)(REAL x, REAL *rest) {
  REAL turn = C(fmod)(x, 2);
  REAL quarters = C(rint)(2 * turn);
  *rest = turn - quarters / 2;
  return (int)quarters & 3;
}

static REAL NAMED(sinpi)(REAL x) {
  REAL rest;
  if (!(C(fabs)(x) < (REAL)INFINITY))
    return (REAL)NAN;
  if (x == C(trunc)(x))
    return C(copysign)(0, x);
  int quarter = NAMED(quarter)(x, &rest);
  REAL value = quarter & 1 ? C(cos)(NAMED(pi) * rest) : C(sin)(NAMED(pi) * rest);
  return quarter & 2 ? -value : value;
}

static REAL NAMED(cospi)(REAL x) {
  REAL rest;
  if (!(C(fabs)(x) < (REAL)INFINITY))
    return (REAL)NAN;
  int quarter = NAMED(quarter)(x, &rest);
  if ((quarter & 1) && rest == 0)
    return 0;
  REAL value = quarter & 1 ? C(sin)(NAMED(pi) * rest) : C(cos)(NAMED(pi) * rest);
  return ((quarter + 1) & 2) ? -value : value;
}

static REAL NAMED(tanpi)(REAL x) {
  REAL rest;
  if (!(C(fabs)(x) < (REAL)INFINITY))
    return (REAL)NAN;
  int quarter = NAMED(quarter)(x, &rest);
  // At whole numbers a zero with the sign of x if even, else the other; at n + 1/2 infinite, negative if n is odd.
  if (rest == 0) {
    if (quarter & 1)
      return quarter == 1 ? (REAL)INFINITY : -(REAL)INFINITY;
    return C(copysign)(0, quarter == 0 ? x : -x);
  }
  REAL value = C(tan)(NAMED(pi) * rest);
  return quarter & 1 ? -1 / value : value;
}

static REAL NAMED(powr)(REAL x, REAL y) {
  if (!(x >= 0) || y != y || (x == 1 && C(fabs)(y) == (REAL)INFINITY))
    return (REAL)NAN;
  if (y == 0 && (x == 0 || x == (REAL)INFINITY))
    return (REAL)NAN;
  return C(pow)(C(fabs)(x), y);
}

static REAL NAMED(rootn)(REAL x, REAL n) {
  int odd = C(fmod)(n, 2) != 0;
  if (n == 0 || x != x || (x < 0 && !odd))
    return (REAL)NAN;
  REAL size = C(fabs)(x);
  // x^(1/n) with the rounding of 1/n made good: log(x) * (1/n - inverse) is small.
  REAL inverse = 1 / n;
  REAL root = C(pow)(size, inverse);
  if (size > 0 && size < (REAL)INFINITY)
    root += root * (C(fma)(-inverse, n, 1) / n) * C(log)(size);
  return odd ? C(copysign)(root, x) : root;
}
