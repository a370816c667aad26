; Integers that memory does not transfer whole, and integers of more than 64 bits.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @odd_integers(ptr addrspace(1) align 4 %p, i64 %x) {
  %q = getelementptr i8, ptr addrspace(1) %p, i64 16
  %three = load i24, ptr addrspace(1) %p, align 4
  %inverted = xor i24 %three, -1
  store i24 %inverted, ptr addrspace(1) %q, align 4
  %bit = load i1, ptr addrspace(1) %p, align 1
  store i1 %bit, ptr addrspace(1) %q, align 1
  %wide = load i128, ptr addrspace(1) %p, align 8
  %shifted = lshr i128 %wide, 72
  %low = trunc i128 %shifted to i32
  store i32 %low, ptr addrspace(1) %q, align 4
  %long = zext i64 %x to i128
  %moved = shl i128 %long, 40
  %both = or i128 %moved, 36893488147419103233
  store i128 %both, ptr addrspace(1) %q, align 4
  %flags = load <8 x i1>, ptr addrspace(1) %p, align 1
  %flag = extractelement <8 x i1> %flags, i64 3
  %flagged = select i1 %flag, i64 %x, i64 7
  store i64 %flagged, ptr addrspace(1) %q, align 8
  ret void
}
