// Reference values of the functions whose results are rounded, from the C library: in double for float and half,
// in binary128 for double.
#define _GNU_SOURCE
#define __STDC_WANT_IEC_60559_TYPES_EXT__
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "functions.h"

#define REAL double
#define C(name) name
#define CR(name) name##_r
#define NAMED(name) name##_in_double
#define CONSTANT(x) x
#include "precision.h"
#undef REAL
#undef C
#undef CR
#undef NAMED
#undef CONSTANT

#define REAL _Float128
#define C(name) name##f128
#define CR(name) name##f128_r
#define NAMED(name) name##_in_quad
#define CONSTANT(x) x##f128
#include "precision.h"

// (high + low) * 2^exponent, exactly what binary128 holds; an infinity, a NaN or a zero in `high` alone.
struct sluice_real {
  double high;
  double low;
  int exponent;
};

#define ADDRESS_IN_DOUBLE(name) name##_in_double,
#define ADDRESS_IN_QUAD(name) name##_in_quad,
static double (*const unary_in_double[])(double) = {UNARY_REFERENCES(ADDRESS_IN_DOUBLE)};
static double (*const binary_in_double[])(double, double) = {BINARY_REFERENCES(ADDRESS_IN_DOUBLE)};
static _Float128 (*const unary_in_quad[])(_Float128) = {UNARY_REFERENCES(ADDRESS_IN_QUAD)};
static _Float128 (*const binary_in_quad[])(_Float128, _Float128) = {BINARY_REFERENCES(ADDRESS_IN_QUAD)};

#define NAME(name) #name,
static const char *const unary_names[] = {UNARY_REFERENCES(NAME) NULL};
static const char *const binary_names[] = {BINARY_REFERENCES(NAME) NULL};

// The names of the functions with this number of arguments, followed by a null.
const char *const *sluice_reference_names(int arguments) { return arguments == 1 ? unary_names : binary_names; }

static inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

double sluice_reference_unary(int function, double x) { return unary_in_double[function](x); }
double sluice_reference_binary(int function, double x, double y) { return binary_in_double[function](x, y); }

// A quick test whether the error of `result` is at most `known` units in the last place of `value`, and at most half
// a unit if that is all that is known.
static inline bool is_near(float result, double value, double known) {
  float nearest = (float)value;
  uint32_t bits = bits_of(nearest);
  if (bits == bits_of(result) || (nearest != nearest && result != result))
    return true;
  // The sign and a normal exponent, one that its neighbours have, too.
  uint32_t exponent = bits >> 23 & 0xff;
  if (exponent < 2 || exponent > 253 || (bits ^ bits_of(result)) >> 31 || isinf(result))
    return false;
  // The unit is that of the nearest number, or half of it below a power of two.
  double half_unit = double_of((uint64_t)(exponent + (1023 - 127 - 24)) << 52);
  return fabs(result - value) <= known * half_unit;
}

// The rows in which `found` may be more than `known` units in the last place off the function's value of the float
// `x`; `known` is at least one half. Returns how many there are.
size_t sluice_reference_misses(int function, const uint64_t *x, const uint64_t *found, size_t count, double known,
                               uint32_t *rows) {
  double (*const value)(double) = unary_in_double[function];
  size_t misses = 0;
  for (size_t row = 0; row < count; row++) {
    float result = float_of((uint32_t)found[row]);
    rows[misses] = (uint32_t)row;
    misses += !is_near(result, value(float_of((uint32_t)x[row])), known);
  }
  return misses;
}

static struct sluice_real split(_Float128 value) {
  struct sluice_real result = {(double)value, 0, 0};
  if (value == 0 || value != value || fabsf128(value) == (_Float128)INFINITY)
    return result;
  _Float128 fraction = frexpf128(value, &result.exponent);
  result.high = (double)fraction;
  result.low = (double)(fraction - result.high);
  return result;
}

struct sluice_real sluice_reference_unary_quad(int function, double x) { return split(unary_in_quad[function](x)); }
struct sluice_real sluice_reference_binary_quad(int function, double x, double y) {
  return split(binary_in_quad[function](x, y));
}

// Exact operations that Rust's standard library lacks.
double sluice_scale(double x, int n) { return scalbn(x, n); }
double sluice_remainder(double x, double y) { return remainder(x, y); }

// The low seven bits of the quotient x / y that remainder() rounds to, with its sign.
int sluice_quotient(double x, double y) {
  _Float128 divisor = fabsf128(y);
  _Float128 rest = fmodf128(fabsf128(x), 128 * divisor);
  int quotient = (int)rintf128((rest - remainderf128(rest, divisor)) / divisor) & 127;
  return signbit(x) != signbit(y) ? -quotient : quotient;
}

// The sign of gamma(x) as lgamma_r reports it.
int sluice_gamma_sign(double x) {
  int sign = 1;
  lgamma_r(x, &sign);
  return sign;
}
