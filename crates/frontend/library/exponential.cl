// exp and exp2 in float, subnormal results included: a power of two times the exponential of at most ln(2)/2.

// e^(high + low), for |high| <= 0.35, less one.
static float exponential_near_zero(float high, float low) {
  float series = 1.0f / 720 + high * (1.0f / 5040);
  series = 1.0f / 24 + high * (1.0f / 120 + high * series);
  series = 0.5f + high * (1.0f / 6 + high * series);
  return high + (low + high * high * series);
}

// x * 2^n for x in [1/2, 2] and |n| <= 252, rounded once: in two steps, since 2^n may leave the range.
static float times_power_of_two(float x, int n) {
  int half_n = n >> 1;
  float first = __builtin_astype((uint)(half_n + 127) << 23, float);
  float second = __builtin_astype((uint)(n - half_n + 127) << 23, float);
  return x * first * second;
}

OVERLOAD float exp(float x) {
  float inside = __builtin_elementwise_min(__builtin_elementwise_max(x, -104.5f), 89.0f);
  float n = __builtin_elementwise_rint(inside * 0x1.715476p+0f);
  // ln(2) in two parts; the first product is exact.
  float high = __builtin_elementwise_fma(-n, 0x1.62e400p-1f, inside);
  float low = n * -0x1.7f7d1cp-20f;
  float sum = high + low;
  float value = times_power_of_two(1 + exponential_near_zero(sum, high - sum + low), (int)n);
  return x != x ? x : value;
}

OVERLOAD float exp2(float x) {
  float inside = __builtin_elementwise_min(__builtin_elementwise_max(x, -151.0f), 129.0f);
  float n = __builtin_elementwise_rint(inside);
  float rest = inside - n;
  float high = rest * 0x1.62e430p-1f;
  float low = __builtin_elementwise_fma(rest, 0x1.62e430p-1f, -high) + rest * -0x1.05c610p-29f;
  float value = times_power_of_two(1 + exponential_near_zero(high, low), (int)n);
  return x != x ? x : value;
}
