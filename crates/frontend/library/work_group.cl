// Work-group functions (OpenCL C 2.0, 6.13.15), in local memory with a slot for each work-item.
//
// Scans and reductions combine blocks of about the square root of the group's size: the first work-items each
// process a block, one combines the blocks' results, and each adds the total of the blocks before its own. That
// takes three barriers for any size, where doubling the distance takes two for each doubling. The last barrier
// of each function keeps its memory until all work-items have read it, so that another call may follow.

OVERLOAD size_t get_local_linear_id(void);
OVERLOAD int atomic_or(volatile __local int *, int);
OVERLOAD PURE uint min(uint, uint);

static uint items(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }

static void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }

// A power of two, near the square root of the group's size.
static uint block_shift(uint count) { return (32 - __builtin_clz(count)) / 2; }

OVERLOAD int work_group_any(int predicate) {
  __local int *found = __sluice_per_item(sizeof(int));
  bool first = get_local_linear_id() == 0;
  if (first)
    *found = 0;
  meet();
  if (predicate)
    atomic_or(found, 1);
  meet();
  int result = *found;
  meet();
  return result;
}

OVERLOAD int work_group_all(int predicate) { return !work_group_any(!predicate); }

#define BROADCAST(T, ...)                                                          \
  static T T##_of(T x, bool is_source) {                                           \
    __local T *place = __sluice_per_item(sizeof(T));                               \
    if (is_source)                                                                 \
      *place = x;                                                                  \
    meet();                                                                        \
    T result = *place;                                                             \
    meet();                                                                        \
    return result;                                                                 \
  }                                                                                \
  OVERLOAD T work_group_broadcast(T x, size_t i) {                                 \
    return T##_of(x, get_local_id(0) == i);                                        \
  }                                                                                \
  OVERLOAD T work_group_broadcast(T x, size_t i, size_t j) {                       \
    return T##_of(x, get_local_id(0) == i && get_local_id(1) == j);                \
  }                                                                                \
  OVERLOAD T work_group_broadcast(T x, size_t i, size_t j, size_t k) {             \
    return T##_of(x, get_local_id(0) == i && get_local_id(1) == j && get_local_id(2) == k); \
  }

// Leaves the inclusive scan over all work-items at the end of each block, and the inclusive scan within the
// block before that.
#define SCAN(T, NAME, NEUTRAL, COMBINE)                                            \
  static OVERLOAD void NAME##_blocks(__local T *values, T x) {                     \
    uint self = get_local_linear_id(), count = items(), shift = block_shift(count); \
    values[self] = x;                                                              \
    meet();                                                                        \
    uint start = self << shift, length = 1u << shift;                              \
    if (self < (count + length - 1) >> shift) {                                    \
      T sum = values[start];                                                       \
      for (uint i = start + 1; i < min(start + length, count); i++) {              \
        T next = values[i];                                                        \
        sum = COMBINE(sum, next);                                                  \
        values[i] = sum;                                                           \
      }                                                                            \
    }                                                                              \
    meet();                                                                        \
    if (self == 0) {                                                               \
      T sum = values[min(length, count) - 1];                                      \
      for (uint i = length; i < count; i += length) {                              \
        uint end = min(i + length, count) - 1;                                     \
        T next = values[end];                                                      \
        sum = COMBINE(sum, next);                                                  \
        values[end] = sum;                                                         \
      }                                                                            \
    }                                                                              \
    meet();                                                                        \
  }                                                                                \
  static OVERLOAD T NAME##_up_to(__local T *values, uint at) {                     \
    uint count = items(), shift = block_shift(count), start = at >> shift << shift; \
    T sum = values[at];                                                            \
    bool is_whole = start == 0 || at == min(start + (1u << shift), count) - 1;     \
    if (!is_whole) {                                                               \
      T before = values[start - 1];                                                \
      sum = COMBINE(before, sum);                                                  \
    }                                                                              \
    return sum;                                                                    \
  }                                                                                \
  OVERLOAD T work_group_reduce_##NAME(T x) {                                       \
    __local T *values = __sluice_per_item(sizeof(T));                              \
    NAME##_blocks(values, x);                                                      \
    T result = values[items() - 1];                                                \
    meet();                                                                        \
    return result;                                                                 \
  }                                                                                \
  OVERLOAD T work_group_scan_inclusive_##NAME(T x) {                               \
    __local T *values = __sluice_per_item(sizeof(T));                              \
    NAME##_blocks(values, x);                                                      \
    T result = NAME##_up_to(values, get_local_linear_id());                        \
    meet();                                                                        \
    return result;                                                                 \
  }                                                                                \
  OVERLOAD T work_group_scan_exclusive_##NAME(T x) {                               \
    __local T *values = __sluice_per_item(sizeof(T));                              \
    NAME##_blocks(values, x);                                                      \
    uint self = get_local_linear_id();                                             \
    T result = self == 0 ? NEUTRAL : NAME##_up_to(values, self - 1);               \
    meet();                                                                        \
    return result;                                                                 \
  }

#define SUM(a, b) ((a) + (b))
#define LEAST(a, b) min(a, b)
#define MOST(a, b) max(a, b)
#define FLOAT_LEAST(a, b) fmin(a, b)
#define FLOAT_MOST(a, b) fmax(a, b)

#define INTEGER(T, MIN, MAX)                                                       \
  OVERLOAD PURE T min(T, T);                                                       \
  OVERLOAD PURE T max(T, T);                                                       \
  BROADCAST(T)                                                                     \
  SCAN(T, add, 0, SUM)                                                             \
  SCAN(T, min, MAX, LEAST)                                                         \
  SCAN(T, max, MIN, MOST)
#define FLOAT(T)                                                                   \
  OVERLOAD PURE T fmin(T, T);                                                      \
  OVERLOAD PURE T fmax(T, T);                                                      \
  BROADCAST(T)                                                                     \
  SCAN(T, add, 0, SUM)                                                             \
  SCAN(T, min, INFINITY, FLOAT_LEAST)                                              \
  SCAN(T, max, -INFINITY, FLOAT_MOST)
INTEGER(int, INT_MIN, INT_MAX)
INTEGER(uint, 0, UINT_MAX)
INTEGER(long, LONG_MIN, LONG_MAX)
INTEGER(ulong, 0, ULONG_MAX)
FLOAT(half)
FLOAT(float)
FLOAT(double)
