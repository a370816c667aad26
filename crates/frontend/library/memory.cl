// Vector loads and stores (OpenCL C 1.2, 6.12.7): one wide access with the alignment of an element. Vectors
// of three are accessed element by element, since a wide access would touch a fourth.

#define UNALIGNED(T, N) typedef T unaligned_##T##N __attribute__((ext_vector_type(N), aligned(sizeof(T))));
#define UNALIGNED_WIDTHS(T, ...) UNALIGNED(T, 2) UNALIGNED(T, 4) UNALIGNED(T, 8) UNALIGNED(T, 16)
EACH_TYPE(UNALIGNED_WIDTHS, )

#define LOAD(T, N, SPACE)                                                \
  OVERLOAD T##N vload##N(size_t i, const SPACE T *p) {                   \
    return *(const SPACE unaligned_##T##N *)(p + N * i);                 \
  }
#define STORE(T, N, SPACE)                                               \
  OVERLOAD void vstore##N(T##N v, size_t i, SPACE T *p) {                \
    *(SPACE unaligned_##T##N *)(p + N * i) = v;                          \
  }
#define LOADS(T, SPACE)                                                  \
  LOAD(T, 2, SPACE) LOAD(T, 4, SPACE) LOAD(T, 8, SPACE) LOAD(T, 16, SPACE) \
  OVERLOAD T##3 vload3(size_t i, const SPACE T *p) {                     \
    p += 3 * i;                                                          \
    return (T##3)(p[0], p[1], p[2]);                                     \
  }
#define STORES(T, SPACE)                                                 \
  STORE(T, 2, SPACE) STORE(T, 4, SPACE) STORE(T, 8, SPACE) STORE(T, 16, SPACE) \
  OVERLOAD void vstore3(T##3 v, size_t i, SPACE T *p) {                  \
    p += 3 * i;                                                          \
    p[0] = v.x;                                                          \
    p[1] = v.y;                                                          \
    p[2] = v.z;                                                          \
  }
#define WRITABLE(T, SPACE) LOADS(T, SPACE) STORES(T, SPACE)
EACH_TYPE(WRITABLE, __private)
EACH_TYPE(WRITABLE, __global)
EACH_TYPE(WRITABLE, __local)
EACH_TYPE(WRITABLE, __generic)
EACH_TYPE(LOADS, __constant)

// Halves in memory as floats. The aligned forms take four halves for a vector of three.
#define HALF_LOAD(N, SPACE)                                                                   \
  OVERLOAD float##N vload_half##N(size_t i, const SPACE half *p) {                            \
    return __builtin_convertvector(*(const SPACE unaligned_half##N *)(p + N * i), float##N);  \
  }                                                                                           \
  OVERLOAD float##N vloada_half##N(size_t i, const SPACE half *p) {                           \
    return __builtin_convertvector(((const SPACE half##N *)p)[i], float##N);                  \
  }
#define HALF_LOADS(SPACE)                                                                     \
  HALF_LOAD(2, SPACE) HALF_LOAD(4, SPACE) HALF_LOAD(8, SPACE) HALF_LOAD(16, SPACE)            \
  OVERLOAD float vload_half(size_t i, const SPACE half *p) { return p[i]; }                   \
  OVERLOAD float vloada_half(size_t i, const SPACE half *p) { return p[i]; }                  \
  OVERLOAD float3 vload_half3(size_t i, const SPACE half *p) {                                \
    p += 3 * i;                                                                               \
    return (float3)(p[0], p[1], p[2]);                                                        \
  }                                                                                           \
  OVERLOAD float3 vloada_half3(size_t i, const SPACE half *p) {                               \
    p += 4 * i;                                                                               \
    return (float3)(p[0], p[1], p[2]);                                                        \
  }
HALF_LOADS(__private)
HALF_LOADS(__global)
HALF_LOADS(__local)
HALF_LOADS(__generic)
HALF_LOADS(__constant)

#define ROUNDED(T, MODE)                                                                              \
  OVERLOAD half convert_half##MODE(T);                                                                \
  static OVERLOAD half2 halves##MODE(T##2 v) { return (half2)(convert_half##MODE(v.x), convert_half##MODE(v.y)); } \
  static OVERLOAD half4 halves##MODE(T##4 v) { return (half4)(halves##MODE(v.lo), halves##MODE(v.hi)); } \
  static OVERLOAD half8 halves##MODE(T##8 v) { return (half8)(halves##MODE(v.lo), halves##MODE(v.hi)); } \
  static OVERLOAD half16 halves##MODE(T##16 v) { return (half16)(halves##MODE(v.lo), halves##MODE(v.hi)); }
#define HALF_STORE(T, N, MODE, SPACE)                                                         \
  OVERLOAD void vstore_half##N##MODE(T##N v, size_t i, SPACE half *p) {                       \
    *(SPACE unaligned_half##N *)(p + N * i) = halves##MODE(v);                                \
  }                                                                                           \
  OVERLOAD void vstorea_half##N##MODE(T##N v, size_t i, SPACE half *p) {                      \
    ((SPACE half##N *)p)[i] = halves##MODE(v);                                                \
  }
#define HALF_STORE3(T, NAME, STRIDE, MODE, SPACE)                                             \
  OVERLOAD void NAME(T##3 v, size_t i, SPACE half *p) {                                       \
    p += STRIDE * i;                                                                          \
    p[0] = convert_half##MODE(v.x);                                                           \
    p[1] = convert_half##MODE(v.y);                                                           \
    p[2] = convert_half##MODE(v.z);                                                           \
  }
#define HALF_STORES(T, MODE, SPACE)                                                                   \
  HALF_STORE(T, 2, MODE, SPACE) HALF_STORE(T, 4, MODE, SPACE)                                         \
  HALF_STORE(T, 8, MODE, SPACE) HALF_STORE(T, 16, MODE, SPACE)                                        \
  HALF_STORE3(T, vstore_half3##MODE, 3, MODE, SPACE)                                                  \
  HALF_STORE3(T, vstorea_half3##MODE, 4, MODE, SPACE)                                                 \
  OVERLOAD void vstore_half##MODE(T v, size_t i, SPACE half *p) { p[i] = convert_half##MODE(v); }     \
  OVERLOAD void vstorea_half##MODE(T v, size_t i, SPACE half *p) { p[i] = convert_half##MODE(v); }
#define HALF_SPACES(T, MODE)             \
  ROUNDED(T, MODE)                       \
  HALF_STORES(T, MODE, __private)        \
  HALF_STORES(T, MODE, __global)         \
  HALF_STORES(T, MODE, __local)          \
  HALF_STORES(T, MODE, __generic)
#define HALF_MODES(T)   \
  HALF_SPACES(T, )      \
  HALF_SPACES(T, _rte)  \
  HALF_SPACES(T, _rtz)  \
  HALF_SPACES(T, _rtp)  \
  HALF_SPACES(T, _rtn)
HALF_MODES(float)
HALF_MODES(double)
