; Results that do not fit: flags and saturation.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @overflow(ptr addrspace(1) %p, i32 %a, i32 %b) {
  %s = call {i32, i1} @llvm.smul.with.overflow.i32(i32 %a, i32 %b)
  %product = extractvalue {i32, i1} %s, 0
  %flag = extractvalue {i32, i1} %s, 1
  %u = call {i32, i1} @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %replaced = insertvalue {i32, i1} %u, i32 %product, 0
  %flag2 = extractvalue {i32, i1} %replaced, 1
  %either = or i1 %flag, %flag2
  %r = select i1 %either, i32 %product, i32 0
  store i32 %r, ptr addrspace(1) %p, align 4
  %shifted = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %b)
  %shifted2 = call i32 @llvm.ushl.sat.i32(i32 %shifted, i32 %b)
  %ordered = call i8 @llvm.scmp.i8.i32(i32 %shifted2, i32 %b)
  store i8 %ordered, ptr addrspace(1) %p, align 1
  ret void
}
declare {i32, i1} @llvm.smul.with.overflow.i32(i32, i32)
declare {i32, i1} @llvm.uadd.with.overflow.i32(i32, i32)
declare i32 @llvm.sshl.sat.i32(i32, i32)
declare i32 @llvm.ushl.sat.i32(i32, i32)
declare i8 @llvm.scmp.i8.i32(i32, i32)
