// What every file of the builtin library starts from: type lists and the names of the primitives.
//
// The library defines the scalar form of each builtin. A vector call whose vector form is not defined here
// is expanded lane by lane by the front end; where a lane behaves unlike the scalar function (relational
// functions give -1 instead of 1, `select` looks at the top bit), the lane is `__sluice_lane_<name>`.

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define OVERLOAD __attribute__((overloadable))
#define PURE __attribute__((const))
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

// Signed type, its unsigned partner, bits, smallest, largest, largest unsigned.
#define EACH_INTEGER_PAIR(M)                                    \
  M(char, uchar, 8, CHAR_MIN, CHAR_MAX, UCHAR_MAX)              \
  M(short, ushort, 16, SHRT_MIN, SHRT_MAX, USHRT_MAX)           \
  M(int, uint, 32, INT_MIN, INT_MAX, UINT_MAX)                  \
  M(long, ulong, 64, LONG_MIN, LONG_MAX, ULONG_MAX)

// Float type, signed and unsigned integer of its width, bits of its fraction.
#define EACH_FLOAT(M)       \
  M(half, short, ushort, 10) \
  M(float, int, uint, 23)    \
  M(double, long, ulong, 52)

#define EACH_TYPE(M, ...)                                                                              \
  M(char, __VA_ARGS__) M(uchar, __VA_ARGS__) M(short, __VA_ARGS__) M(ushort, __VA_ARGS__)              \
  M(int, __VA_ARGS__) M(uint, __VA_ARGS__) M(long, __VA_ARGS__) M(ulong, __VA_ARGS__)                  \
  M(half, __VA_ARGS__) M(float, __VA_ARGS__) M(double, __VA_ARGS__)

// Left to the rest of the compiler: see primitives.rs.
OVERLOAD PURE size_t get_global_id(uint);
OVERLOAD PURE size_t get_local_id(uint);
OVERLOAD PURE size_t get_group_id(uint);
OVERLOAD PURE size_t get_global_size(uint);
OVERLOAD PURE size_t get_local_size(uint);
OVERLOAD PURE size_t get_num_groups(uint);
OVERLOAD PURE size_t get_global_offset(uint);
OVERLOAD void barrier(cl_mem_fence_flags);
OVERLOAD void mem_fence(cl_mem_fence_flags);
PURE ulong __sluice_mul_hi_u64(ulong, ulong);
PURE long __sluice_mul_hi_s64(long, long);
// Whether a pointer leads to local or to private memory.
PURE bool __sluice_in_local(const void *);
PURE bool __sluice_in_private(const void *);
// Memory of the work-group with `bytes` bytes for each work-item: the same memory for equal `bytes`.
PURE __local void *__sluice_per_item(uint bytes);
