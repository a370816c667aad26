; Memory of computed size is refused.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @dynamic(ptr addrspace(1) %p, i32 %n) {
  %space = alloca i32, i32 %n, align 4
  %x = load i32, ptr %space, align 4
  store i32 %x, ptr addrspace(1) %p, align 4
  ret void
}
