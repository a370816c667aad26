; Operations that hardware does not have are refused by name.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @intrinsic(ptr addrspace(1) %p, float %x) {
  %y = call float @llvm.sin.f32(float %x)
  store float %y, ptr addrspace(1) %p, align 4
  ret void
}
declare float @llvm.sin.f32(float)
