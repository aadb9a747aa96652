; A sum of blocks of 512 numbers in the form of Triton's IR: loads and stores as guarded inline
; assembly, shared memory without a size, line tables. Own work.
source_filename = "LLVMDialectModule"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

@global_smem = external local_unnamed_addr addrspace(3) global [0 x i8], align 16

define void @sum_kernel(ptr addrspace(1) nocapture readonly %0, ptr addrspace(1) nocapture writeonly %1, i32 %2) local_unnamed_addr !dbg !7 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !10
  %5 = and i32 %4, 31, !dbg !10
  %6 = lshr i32 %4, 5, !dbg !10
  %7 = tail call i32 asm "mov.u32 $0, %ctaid.x;", "=r"() #3, !dbg !10
  %8 = shl i32 %7, 9, !dbg !10
  %9 = shl i32 %4, 2, !dbg !10
  %10 = or i32 %8, %9, !dbg !10
  %11 = icmp slt i32 %10, %2, !dbg !10
  %12 = sext i32 %10 to i64, !dbg !10
  %13 = getelementptr float, ptr addrspace(1) %0, i64 %12, !dbg !10
  %14 = tail call { i32, i32, i32, i32 } asm sideeffect "mov.u32 $0, 0x0;\0A\09mov.u32 $1, 0x0;\0A\09mov.u32 $2, 0x0;\0A\09mov.u32 $3, 0x0;\0A\09@$5 ld.global.v4.b32 { $0, $1, $2, $3 }, [ $4 + 0 ];", "=r,=r,=r,=r,l,b"(ptr addrspace(1) %13, i1 %11) #3, !dbg !10
  %15 = extractvalue { i32, i32, i32, i32 } %14, 0, !dbg !10
  %16 = extractvalue { i32, i32, i32, i32 } %14, 1, !dbg !10
  %17 = extractvalue { i32, i32, i32, i32 } %14, 2, !dbg !10
  %18 = extractvalue { i32, i32, i32, i32 } %14, 3, !dbg !10
  %19 = bitcast i32 %15 to float, !dbg !10
  %20 = bitcast i32 %16 to float, !dbg !10
  %21 = bitcast i32 %17 to float, !dbg !10
  %22 = bitcast i32 %18 to float, !dbg !10
  %23 = fadd float %19, %20, !dbg !10
  %24 = fadd float %21, %22, !dbg !10
  %25 = fadd float %23, %24, !dbg !10
  %26 = bitcast float %25 to i32, !dbg !10
  %27 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %26, i32 16, i32 31), !dbg !10
  %28 = bitcast i32 %27 to float, !dbg !10
  %29 = fadd float %25, %28, !dbg !10
  %30 = bitcast float %29 to i32, !dbg !10
  %31 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %30, i32 8, i32 31), !dbg !10
  %32 = bitcast i32 %31 to float, !dbg !10
  %33 = fadd float %29, %32, !dbg !10
  %34 = bitcast float %33 to i32, !dbg !10
  %35 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %34, i32 4, i32 31), !dbg !10
  %36 = bitcast i32 %35 to float, !dbg !10
  %37 = fadd float %33, %36, !dbg !10
  %38 = bitcast float %37 to i32, !dbg !10
  %39 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %38, i32 2, i32 31), !dbg !10
  %40 = bitcast i32 %39 to float, !dbg !10
  %41 = fadd float %37, %40, !dbg !10
  %42 = bitcast float %41 to i32, !dbg !10
  %43 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %42, i32 1, i32 31), !dbg !10
  %44 = bitcast i32 %43 to float, !dbg !10
  %45 = fadd float %41, %44, !dbg !10
  %46 = icmp eq i32 %5, 0, !dbg !10
  %47 = zext nneg i32 %6 to i64, !dbg !10
  %48 = getelementptr float, ptr addrspace(3) @global_smem, i64 %47, !dbg !10
  %49 = bitcast float %45 to i32, !dbg !10
  tail call void asm sideeffect "@$2 st.shared.b32 [ $0 + 0 ], $1;", "r,r,b"(ptr addrspace(3) %48, i32 %49, i1 %46) #3, !dbg !10
  tail call void @llvm.nvvm.barrier0(), !dbg !10
  %50 = load float, ptr addrspace(3) @global_smem, align 16, !dbg !10
  %51 = load float, ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @global_smem, i64 4), align 4, !dbg !10
  %52 = load float, ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @global_smem, i64 8), align 8, !dbg !10
  %53 = load float, ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @global_smem, i64 12), align 4, !dbg !10
  %54 = fadd float %50, %51, !dbg !10
  %55 = fadd float %52, %53, !dbg !10
  %56 = fadd float %54, %55, !dbg !10
  %57 = icmp eq i32 %4, 0, !dbg !10
  %58 = sext i32 %7 to i64, !dbg !10
  %59 = getelementptr float, ptr addrspace(1) %1, i64 %58, !dbg !10
  %60 = bitcast float %56 to i32, !dbg !10
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %60, ptr addrspace(1) %59, i1 %57) #3, !dbg !10
  ret void, !dbg !10
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #2
declare void @llvm.nvvm.barrier0() #2
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #2 = { convergent nounwind }
attributes #3 = { nounwind }

!llvm.module.flags = !{!0, !1}
!llvm.dbg.cu = !{!2}
!nvvm.annotations = !{!4, !5}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, producer: "triton", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "sum.py", directory: "/tmp")
!4 = !{ptr @sum_kernel, !"kernel", i32 1}
!5 = !{ptr @sum_kernel, !"reqntidx", i32 128}
!7 = distinct !DISubprogram(name: "sum_kernel", linkageName: "sum_kernel", scope: !3, file: !3, line: 3, type: !8, scopeLine: 3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!8 = !DISubroutineType(cc: DW_CC_normal, types: !9)
!9 = !{}
!10 = !DILocation(line: 7, column: 4, scope: !7)
