// Kernels of MLIR, which tests/callers/with_mlir.py compiles by mlir-opt.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // y[i] = 5 * x[i] - 3 for each i below n.
    gpu.func @scale(%x: memref<100xi32>, %y: memref<100xi32>, %n: i32) kernel {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %start = arith.muli %block, %size : index
      %id = arith.addi %start, %thread : index
      %i = arith.index_cast %id : index to i32
      %inside = arith.cmpi slt, %i, %n : i32
      scf.if %inside {
        %five = arith.constant 5 : i32
        %three = arith.constant 3 : i32
        %value = memref.load %x[%id] : memref<100xi32>
        %product = arith.muli %value, %five : i32
        %result = arith.subi %product, %three : i32
        memref.store %result, %y[%id] : memref<100xi32>
      }
      gpu.return
    }

    // The sum of each row of 128 numbers, by shuffles within a warp and shared memory between warps.
    gpu.func @sums(%x: memref<8x128xi32>, %y: memref<8xi32>) kernel {
      %row = gpu.block_id x
      %column = gpu.thread_id x
      %value = memref.load %x[%row, %column] : memref<8x128xi32>
      %sum = gpu.all_reduce add %value uniform {} : (i32) -> i32
      %zero = arith.constant 0 : index
      %first = arith.cmpi eq, %column, %zero : index
      scf.if %first {
        memref.store %sum, %y[%row] : memref<8xi32>
      }
      gpu.return
    }

    // A product of matrices, an element per thread.
    gpu.func @matmul(%a: memref<16x32xf32>, %b: memref<32x16xf32>, %c: memref<16x16xf32>) kernel {
      %row = gpu.thread_id y
      %column = gpu.thread_id x
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %depth = arith.constant 32 : index
      %nothing = arith.constant 0.0 : f32
      %sum = scf.for %k = %zero to %depth step %one iter_args(%so_far = %nothing) -> (f32) {
        %left = memref.load %a[%row, %k] : memref<16x32xf32>
        %right = memref.load %b[%k, %column] : memref<32x16xf32>
        %product = arith.mulf %left, %right : f32
        %next = arith.addf %so_far, %product : f32
        scf.yield %next : f32
      }
      memref.store %sum, %c[%row, %column] : memref<16x16xf32>
      gpu.return
    }
  }
}
