// Functions of libclc that are right but for the sign of zero.

#define KEEPS_ZERO(NAME, SYMBOL)                                 \
  OVERLOAD double libclc_##NAME(double) __asm__(SYMBOL ".replaced"); \
  OVERLOAD double NAME(double x) { return x == 0 ? x : libclc_##NAME(x); }
KEEPS_ZERO(atan, "_Z4atand")
KEEPS_ZERO(atanpi, "_Z6atanpid")
KEEPS_ZERO(erf, "_Z3erfd")
KEEPS_ZERO(expm1, "_Z5expm1d")
