; Floating-point classes, minimum that keeps NaN, predicates without operands.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @float_class(ptr addrspace(1) %p, float %x, double %y) {
  %subnormal = call i1 @llvm.is.fpclass.f32(float %x, i32 144)
  %minus_inf_or_nan = call i1 @llvm.is.fpclass.f64(double %y, i32 7)
  %never = call i1 @llvm.is.fpclass.f64(double %y, i32 0)
  %t = fcmp true float %x, %x
  %both = and i1 %subnormal, %minus_inf_or_nan
  %all = and i1 %both, %t
  %some = or i1 %all, %never
  %n = zext i1 %some to i8
  store i8 %n, ptr addrspace(1) %p, align 1
  %least = call double @llvm.minimum.f64(double %y, double 0x7FF8000000000001)
  %saturated = call i8 @llvm.fptosi.sat.i8.f64(double %least)
  store i8 %saturated, ptr addrspace(1) %p, align 1
  ret void
}
declare i1 @llvm.is.fpclass.f32(float, i32)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare double @llvm.minimum.f64(double, double)
declare i8 @llvm.fptosi.sat.i8.f64(double)
