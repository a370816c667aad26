; A switch, an unreachable block, freeze, undefined values, an atomic load, a fence, constant expressions.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

@table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@tile = internal addrspace(3) global [16 x i32] undef, align 4
define spir_kernel void @control(ptr addrspace(1) %p, i32 %n) {
entry:
  %f = freeze i32 %n
  switch i32 %f, label %other [ i32 1, label %one
                                i32 5, label %five ]
one:
  %loaded = load atomic i32, ptr addrspace(1) %p seq_cst, align 4
  br label %join
five:
  fence acq_rel
  %element = load i32, ptr addrspace(2) getelementptr inbounds ([4 x i32], ptr addrspace(2) @table, i64 0, i64 2), align 4
  br label %join
other:
  %small = icmp ugt i32 %f, 3
  br i1 %small, label %join, label %never
never:
  unreachable
join:
  %value = phi i32 [ %loaded, %one ], [ %element, %five ], [ undef, %other ]
  %address = ptrtoint ptr addrspace(1) %p to i32
  %sum = add i32 %value, %address
  store i32 %sum, ptr addrspace(3) getelementptr inbounds ([16 x i32], ptr addrspace(3) @tile, i64 0, i64 3), align 4
  ret void
}
