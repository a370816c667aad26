; Overlapping and computed copies, a fill with a computed byte.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @transfers(ptr addrspace(1) align 8 %p, ptr addrspace(3) align 4 %q, i64 %n, i8 %byte) {
  %r = getelementptr i8, ptr addrspace(1) %p, i64 4
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 4 %r, ptr addrspace(1) align 4 %p, i64 22, i1 false)
  call void @llvm.memmove.p1.p1.i64(ptr addrspace(1) align 4 %r, ptr addrspace(1) align 8 %p, i64 1000, i1 false)
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) align 4 %q, ptr addrspace(1) align 8 %p, i64 %n, i1 true)
  call void @llvm.memset.p3.i64(ptr addrspace(3) align 4 %q, i8 %byte, i64 6, i1 false)
  ret void
}
declare void @llvm.memmove.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p3.i64(ptr addrspace(3), i8, i64, i1)
