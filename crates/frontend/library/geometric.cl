// Geometric functions (OpenCL C 1.2, 6.12.5).

#define ROOT(x) __builtin_elementwise_sqrt(x)
#define ISOLATE(T, c) __builtin_elementwise_copysign(__builtin_elementwise_abs(c) == (T)INFINITY ? (T)1 : (T)0, c)

#define PRODUCTS(T)                                                                       \
  OVERLOAD T dot(T p, T q) { return p * q; }                                              \
  OVERLOAD T dot(T##2 p, T##2 q) { return p.x * q.x + p.y * q.y; }                        \
  OVERLOAD T dot(T##3 p, T##3 q) { return p.x * q.x + p.y * q.y + p.z * q.z; }            \
  OVERLOAD T dot(T##4 p, T##4 q) { return (p.x * q.x + p.y * q.y) + (p.z * q.z + p.w * q.w); } \
  OVERLOAD T##3 cross(T##3 p, T##3 q) { return p.yzx * q.zxy - p.zxy * q.yzx; }           \
  OVERLOAD T##4 cross(T##4 p, T##4 q) { return (T##4)(cross(p.xyz, q.xyz), (T)0); }
PRODUCTS(half)
PRODUCTS(float)
PRODUCTS(double)

// Squares of very small or very large components leave the range although the length is inside it:
// UP and DOWN are powers of two that bring them back. `normalize` makes components smaller last, so that
// small ones beside large ones keep their digits. An infinite component outweighs all finite ones there: only
// the infinite ones count, each as its sign.
#define LENGTHS(T, V, INFINITE_ONES, TINY, UP, DOWN)             \
  OVERLOAD T length(V p) {                                       \
    T squared = dot(p, p);                                       \
    if (squared < TINY) {                                        \
      p *= UP;                                                   \
      return ROOT(dot(p, p)) * (1 / UP);                         \
    }                                                            \
    if (squared == (T)INFINITY) {                                \
      p *= DOWN;                                                 \
      return ROOT(dot(p, p)) * (1 / DOWN);                       \
    }                                                            \
    return ROOT(squared);                                        \
  }                                                              \
  OVERLOAD T distance(V p, V q) { return length(p - q); }        \
  OVERLOAD V normalize(V p) {                                    \
    T squared = dot(p, p);                                       \
    T down = squared == (T)INFINITY ? DOWN : 1;                  \
    p *= squared < TINY ? UP : 1;                                \
    V smaller = p * down;                                        \
    squared = dot(smaller, smaller);                             \
    if (squared == (T)INFINITY) {                                \
      p = (V)INFINITE_ONES;                                      \
      squared = dot(p, p);                                       \
      down = 1;                                                  \
    }                                                            \
    return squared == 0 ? p : p * ((T)1 / ROOT(squared)) * down; \
  }
#define WIDTHS(T, TINY, UP, DOWN)                                                                  \
  OVERLOAD T length(T p) { return __builtin_elementwise_abs(p); }                                  \
  OVERLOAD T distance(T p, T q) { return __builtin_elementwise_abs(p - q); }                       \
  OVERLOAD T normalize(T p) { return p == 0 || p != p ? p : __builtin_elementwise_copysign((T)1, p); } \
  LENGTHS(T, T##2, (ISOLATE(T, p.x), ISOLATE(T, p.y)), TINY, UP, DOWN)                             \
  LENGTHS(T, T##3, (ISOLATE(T, p.x), ISOLATE(T, p.y), ISOLATE(T, p.z)), TINY, UP, DOWN)            \
  LENGTHS(T, T##4, (ISOLATE(T, p.x), ISOLATE(T, p.y), ISOLATE(T, p.z), ISOLATE(T, p.w)), TINY, UP, DOWN)
WIDTHS(float, 0x1p-100f, 0x1p86f, 0x1p-66f)
WIDTHS(double, 0x1p-900, 0x1p600, 0x1p-520)

// Squares of halves stay inside float's range.
#define HALF(H, F)                                                                                 \
  OVERLOAD half length(H p) { return (half)ROOT(dot(__builtin_convertvector(p, F), __builtin_convertvector(p, F))); } \
  OVERLOAD half distance(H p, H q) {                                                               \
    F d = __builtin_convertvector(p, F) - __builtin_convertvector(q, F);                           \
    return (half)ROOT(dot(d, d));                                                                  \
  }                                                                                                \
  OVERLOAD H normalize(H p) { return __builtin_convertvector(normalize(__builtin_convertvector(p, F)), H); }
OVERLOAD half length(half p) { return __builtin_elementwise_abs(p); }
OVERLOAD half distance(half p, half q) { return __builtin_elementwise_abs(p - q); }
OVERLOAD half normalize(half p) { return p == 0 || p != p ? p : __builtin_elementwise_copysign((half)1, p); }
HALF(half2, float2)
HALF(half3, float3)
HALF(half4, float4)

#define FAST(V)                                                                    \
  OVERLOAD float fast_length(V p) { return ROOT(dot(p, p)); }                      \
  OVERLOAD float fast_distance(V p, V q) { return fast_length(p - q); }            \
  OVERLOAD V fast_normalize(V p) {                                                 \
    float squared = dot(p, p);                                                     \
    return squared == 0 ? p : p * (1.0f / ROOT(squared));                          \
  }
FAST(float)
FAST(float2)
FAST(float3)
FAST(float4)
