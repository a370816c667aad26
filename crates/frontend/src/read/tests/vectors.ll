; Computed lanes, shuffles with undefined lanes, vector phis and selects, casts between shapes.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

define spir_kernel void @vectors(ptr addrspace(1) align 16 %p, i32 %lane, <2 x i64> %pair) {
entry:
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %picked = extractelement <4 x float> %v, i32 %lane
  %changed = insertelement <4 x float> %v, float %picked, i32 %lane
  %shuffled = shufflevector <4 x float> %changed, <4 x float> <float 1.0, float undef, float 3.0, float poison>, <4 x i32> <i32 3, i32 poison, i32 4, i32 6>
  %positive = fcmp ogt <4 x float> %shuffled, zeroinitializer
  %chosen = select <4 x i1> %positive, <4 x float> %shuffled, <4 x float> %v
  %halves = bitcast <2 x i64> %pair to <8 x i16>
  %h = extractelement <8 x i16> %halves, i64 5
  %bits = bitcast <4 x i1> %positive to i4
  %any = icmp ne i4 %bits, 0
  br i1 %any, label %then, label %done
then:
  %doubled = fadd <4 x float> %chosen, %chosen
  br label %done
done:
  %merged = phi <4 x float> [ %chosen, %entry ], [ %doubled, %then ]
  %ints = fptosi <4 x float> %merged to <4 x i16>
  %added = insertelement <4 x i16> %ints, i16 %h, i64 9
  store <4 x i16> %added, ptr addrspace(1) %p, align 8
  %sum = call i16 @llvm.vector.reduce.add.v4i16(<4 x i16> %ints)
  store i16 %sum, ptr addrspace(1) %p, align 2
  store <20 x i8> <i8 1, i8 2, i8 3, i8 4, i8 5, i8 6, i8 7, i8 8, i8 9, i8 10, i8 11, i8 12, i8 13, i8 14, i8 15, i8 16, i8 17, i8 18, i8 19, i8 20>, ptr addrspace(1) %p, align 16
  ret void
}
declare i16 @llvm.vector.reduce.add.v4i16(<4 x i16>)
