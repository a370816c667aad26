// The float functions that have hardware cores, and functions that are a few operations around a core.

#define CORE(NAME)                                                    \
  PURE float __sluice_f32_##NAME(float);                              \
  PURE float __sluice_f32_native_##NAME(float);                       \
  OVERLOAD float NAME(float x) { return __sluice_f32_##NAME(x); }     \
  OVERLOAD float native_##NAME(float x) { return __sluice_f32_native_##NAME(x); }
CORE(exp) CORE(exp2) CORE(exp10) CORE(log) CORE(log2) CORE(log10) CORE(sin) CORE(cos) CORE(rsqrt)

PURE float __sluice_f32_pow(float, float);
PURE float __sluice_f32_native_pow(float, float);
PURE float __sluice_f32_divide(float, float);
PURE float __sluice_f32_native_divide(float, float);
PURE float __sluice_f32_native_recip(float);

OVERLOAD float pow(float x, float y) { return __sluice_f32_pow(x, y); }

// Where `pow` is defined only for integer exponents, `powr` gives NaN.
static float without_limits(float x, float y, float power) {
  bool none = x < 0 || x != x || y != y || (y == 0 && (x == 0 || x == INFINITY)) ||
              (x == 1 && __builtin_elementwise_abs(y) == INFINITY);
  return none ? NAN : power;
}
OVERLOAD float powr(float x, float y) {
  return without_limits(x, y, __sluice_f32_pow(__builtin_elementwise_abs(x), y));
}
OVERLOAD float native_powr(float x, float y) {
  return without_limits(x, y, __sluice_f32_native_pow(__builtin_elementwise_abs(x), y));
}

OVERLOAD float native_divide(float x, float y) { return __sluice_f32_native_divide(x, y); }
OVERLOAD float native_recip(float x) { return __sluice_f32_native_recip(x); }
OVERLOAD float native_sqrt(float x) { return __builtin_elementwise_sqrt(x); }

OVERLOAD float tan(float x) { return __sluice_f32_divide(__sluice_f32_sin(x), __sluice_f32_cos(x)); }
OVERLOAD float native_tan(float x) {
  return __sluice_f32_native_divide(__sluice_f32_native_sin(x), __sluice_f32_native_cos(x));
}
OVERLOAD float sincos(float x, __private float *cosine) {
  *cosine = __sluice_f32_cos(x);
  return __sluice_f32_sin(x);
}

// half_ functions have a relative bound, which the small cores keep except around the zeros of sine and
// cosine.
#define HALF_BY_NATIVE(NAME) \
  OVERLOAD float half_##NAME(float x) { return native_##NAME(x); }
HALF_BY_NATIVE(exp) HALF_BY_NATIVE(exp2) HALF_BY_NATIVE(exp10) HALF_BY_NATIVE(log) HALF_BY_NATIVE(log2)
HALF_BY_NATIVE(log10) HALF_BY_NATIVE(rsqrt) HALF_BY_NATIVE(recip) HALF_BY_NATIVE(sqrt)
OVERLOAD float half_sin(float x) { return sin(x); }
OVERLOAD float half_cos(float x) { return cos(x); }
OVERLOAD float half_tan(float x) { return tan(x); }
OVERLOAD float half_powr(float x, float y) { return native_powr(x, y); }
OVERLOAD float half_divide(float x, float y) { return native_divide(x, y); }

OVERLOAD half rsqrt(half x) { return (half)__sluice_f32_rsqrt((float)x); }
OVERLOAD double rsqrt(double x) { return 1.0 / __builtin_elementwise_sqrt(x); }
