; Two kernels in the form of Julia's IR: arrays as structures by value, a state as first parameter,
; names with # and !, functions that report an exception and end the thread. Own work.
source_filename = "start"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@exception = private unnamed_addr constant [10 x i8] c"exception\00"
@"exception_flag" = weak addrspace(1) externally_initialized global i64 0
@"jl_#names!" = private unnamed_addr addrspace(4) constant [3 x float] [float 1.5, float 2.5, float 4.0]

; Function Attrs: noinline
define internal fastcc void @gpu_report_exception(i64 zeroext %0) unnamed_addr #0 {
top:
  %1 = inttoptr i64 %0 to ptr
  %2 = load i8, ptr %1, align 1
  %3 = zext i8 %2 to i64
  store volatile i64 %3, ptr addrspace(1) @exception_flag, align 8
  ret void
}

; Function Attrs: noreturn
define internal fastcc void @julia__throw_boundserror_1234({ i64, i32 } %state) unnamed_addr #1 {
top:
  %0 = ptrtoint ptr @exception to i64
  call fastcc void @gpu_report_exception(i64 %0)
  call void asm sideeffect "exit;", ""() #3
  call void @llvm.trap()
  unreachable
}

define internal fastcc float @"julia_#scale#12_345"(float %x, i64 %n) unnamed_addr #0 {
top:
  %0 = getelementptr inbounds [3 x float], ptr addrspace(4) @"jl_#names!", i64 0, i64 %n
  %1 = load float, ptr addrspace(4) %0, align 4
  %2 = fmul float %x, %1
  ret float %2
}

define ptx_kernel void @_Z4vadd13CuDeviceArrayI7Float32Li1ELi1EES_I7Float32Li1ELi1EES_({ i64, i32 } %state, { ptr addrspace(1), i64, [1 x i64], i64 } %0, { ptr addrspace(1), i64, [1 x i64], i64 } %1, { ptr addrspace(1), i64, [1 x i64], i64 } %2) local_unnamed_addr {
conversion:
  %.fca.0.extract9 = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %0, 0
  %.fca.2.0.extract = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %0, 2, 0
  %.fca.0.extract1 = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %1, 0
  %.fca.0.extract = extractvalue { ptr addrspace(1), i64, [1 x i64], i64 } %2, 0
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !2
  %4 = zext nneg i32 %3 to i64
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !range !3
  %6 = zext nneg i32 %5 to i64
  %7 = mul nuw nsw i64 %4, %6
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !4
  %9 = zext nneg i32 %8 to i64
  %10 = add nuw nsw i64 %7, %9
  %11 = icmp ult i64 %10, %.fca.2.0.extract
  br i1 %11, label %L10, label %L7

L7:
  call fastcc void @julia__throw_boundserror_1234({ i64, i32 } %state)
  unreachable

L10:
  %12 = getelementptr inbounds float, ptr addrspace(1) %.fca.0.extract9, i64 %10
  %13 = load float, ptr addrspace(1) %12, align 4
  %14 = getelementptr inbounds float, ptr addrspace(1) %.fca.0.extract1, i64 %10
  %15 = load float, ptr addrspace(1) %14, align 4
  %16 = fadd float %13, %15
  %17 = urem i64 %10, 3
  %18 = call fastcc float @"julia_#scale#12_345"(float %16, i64 %17)
  %19 = getelementptr inbounds float, ptr addrspace(1) %.fca.0.extract, i64 %10
  store float %18, ptr addrspace(1) %19, align 4
  ret void
}

define ptx_kernel void @_Z5scale7LLVMPtrI7Float32Li1EE5Int64({ i64, i32 } %state, ptr addrspace(1) %0, i64 signext %1) local_unnamed_addr {
conversion:
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !4
  %3 = zext nneg i32 %2 to i64
  %4 = icmp slt i64 %3, %1
  br i1 %4, label %L4, label %L9

L4:
  %5 = getelementptr inbounds float, ptr addrspace(1) %0, i64 %3
  %6 = load float, ptr addrspace(1) %5, align 4
  %7 = urem i64 %3, 3
  %8 = call fastcc float @"julia_#scale#12_345"(float %6, i64 %7)
  store float %8, ptr addrspace(1) %5, align 4
  ret void

L9:
  call fastcc void @julia__throw_boundserror_1234({ i64, i32 } %state)
  unreachable
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2
declare void @llvm.trap() #4
attributes #0 = { noinline }
attributes #1 = { noinline noreturn }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nounwind }
attributes #4 = { cold noreturn nounwind }
!llvm.module.flags = !{!0}
!nvvm.annotations = !{!1, !5, !6, !7}
!7 = !{ptr @_Z5scale7LLVMPtrI7Float32Li1EE5Int64, !"kernel", i32 1}
!0 = !{i32 1, !"nvvm-reflect-ftz", i32 0}
!1 = !{ptr @_Z4vadd13CuDeviceArrayI7Float32Li1ELi1EES_I7Float32Li1ELi1EES_, !"kernel", i32 1}
!2 = !{i32 0, i32 2147483647}
!3 = !{i32 1, i32 1025}
!4 = !{i32 0, i32 1024}
!5 = !{ptr @_Z4vadd13CuDeviceArrayI7Float32Li1ELi1EES_I7Float32Li1ELi1EES_, !"maxntidx", i32 256}
!6 = !{ptr @_Z4vadd13CuDeviceArrayI7Float32Li1ELi1EES_I7Float32Li1ELi1EES_, !"minctasm", i32 2}
