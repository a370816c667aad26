; Loop hints stand on the header.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @hints(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %i1, %first ]
  store volatile i32 %i, ptr addrspace(1) %p, align 4
  %i1 = add i32 %i, 1
  %c1 = icmp slt i32 %i1, %n
  br i1 %c1, label %first, label %second, !llvm.loop !0
second:
  %j = phi i32 [ 0, %first ], [ %j1, %second ]
  store volatile i32 %j, ptr addrspace(1) %p, align 4
  %j1 = add i32 %j, 1
  %c2 = icmp uge i32 %n, %j1
  br i1 %c2, label %second, label %end, !llvm.loop !2
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 4}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.full"}
