; Arithmetic on wide integers is refused.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @wide(ptr addrspace(1) %p) {
  %x = load i128, ptr addrspace(1) %p, align 8
  %y = mul i128 %x, %x
  store i128 %y, ptr addrspace(1) %p, align 8
  ret void
}
