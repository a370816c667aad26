// erfc in float beyond 2, where libclc's loses digits: e^(-x^2) / x times a polynomial in 1/x, which was fitted to
// [0.099, 0.5] with an error of 1e-8.

OVERLOAD float exp(float);
OVERLOAD float libclc_erfc(float) __asm__("__sluice_chain_erfc");

OVERLOAD float erfc(float x) {
  if (!(x > 2))
    return libclc_erfc(x);
  // All is zero from here on.
  x = __builtin_elementwise_min(x, 10.25f);
  float t = 1 / x;
  float series = -0.194608309f * t + 0.730346986f;
  series = series * t - 1.107107875f;
  series = series * t + 0.777585836f;
  series = series * t - 0.0678340103f;
  series = series * t - 0.274321183f;
  series = series * t - 0.000489918215f;
  series = series * t + 0.564202574f;
  // The square in two parts, since the exponential magnifies what rounding takes from it. Half of it first: the
  // whole leaves the range of normal numbers.
  float square = x * x;
  float rest = __builtin_elementwise_fma(x, x, -square);
  float root = exp(square * -0.5f);
  return root * (series * t * (1 - rest)) * root;
}
