; ModuleID = 'm'
source_filename = "m.cu"
target triple = "nvptx64-nvidia-cuda"

@x = addrspace(1) global i32 7

define ptx_kernel void @k() {
  ret void
}

!0 = !{}
