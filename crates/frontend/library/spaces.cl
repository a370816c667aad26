// Which address space a generic pointer points to (OpenCL C 2.0, 6.13.9). clang calls `__to_global` and its like for
// `to_global` of any type.

__global void *__to_global(void *p) {
  return __sluice_in_local(p) || __sluice_in_private(p) ? 0 : (__global void *)p;
}
__local void *__to_local(void *p) { return __sluice_in_local(p) ? (__local void *)p : 0; }
__private void *__to_private(void *p) { return __sluice_in_private(p) ? (__private void *)p : 0; }

OVERLOAD cl_mem_fence_flags get_fence(const void *p) {
  return __sluice_in_local(p) ? CLK_LOCAL_MEM_FENCE : __sluice_in_private(p) ? 0 : CLK_GLOBAL_MEM_FENCE;
}
OVERLOAD cl_mem_fence_flags get_fence(void *p) { return get_fence((const void *)p); }
