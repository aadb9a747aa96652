// Products of f16 and bf16 by mma.sync with copies by cp.async, in several tiles, layouts and ways to split the work.

#include "gemm80.h"

#include "cutlass/gemm/device/gemm_splitk_parallel.h"
#include "cutlass/gemm/device/gemm_universal_streamk_with_broadcast.h"
#include "cutlass/gemm/kernel/gemm_universal_streamk.h"

using namespace raddle;
using cutlass::bfloat16_t;
using cutlass::half_t;
using cutlass::arch::OpClassTensorOp;
using cutlass::arch::Sm80;
using cutlass::epilogue::thread::LinearCombination;
using cutlass::epilogue::thread::LinearCombinationRelu;
using Swizzle = cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>;
using Instruction = Shape<16, 8, 16>;

template <class T, class LA, class LB, class D, class LD, class Sum, class Block, class Warp, int Stages,
          class Epilogue = LinearCombination<D, 128 / cutlass::sizeof_bits<D>::value, Sum, Sum>, class Order = Swizzle>
using Gemm = cutlass::gemm::device::GemmUniversal<T, LA, T, LB, D, LD, Sum, OpClassTensorOp, Sm80, Block, Warp,
                                                  Instruction, Epilogue, Order, Stages>;

int main() {
  universal<Gemm<half_t, Row, Column, half_t, Row, float, Shape<128, 128, 32>, Shape<64, 64, 32>, 3>>(
      "f16_tn_128x128", 120, 104, 72, 1.5, 0.5);
  universal<Gemm<half_t, Column, Row, float, Row, float, Shape<128, 64, 32>, Shape<64, 32, 32>, 4>>(
      "f16_nt_128x64_f32", 128, 64, 96, 1, 0);
  universal<Gemm<half_t, Column, Column, half_t, Column, half_t, Shape<64, 64, 32>, Shape<32, 32, 32>, 5>>(
      "f16_nn_64x64_f16", 64, 56, 64, 1, 1);
  universal<Gemm<half_t, Row, Column, half_t, Row, float, Shape<256, 128, 32>, Shape<64, 64, 32>, 3>>(
      "f16_tn_256x128", 248, 128, 64, 1, 0.25);
  universal<Gemm<bfloat16_t, Row, Column, bfloat16_t, Row, float, Shape<128, 128, 64>, Shape<64, 64, 64>, 3>>(
      "bf16_tn_128x128", 128, 128, 128, 1, 0);
  universal<Gemm<bfloat16_t, Row, Row, float, Row, float, Shape<64, 128, 32>, Shape<32, 64, 32>, 3,
                 LinearCombinationRelu<float, 4, float, float>>>("bf16_tt_64x128_relu", 64, 120, 64, 0.5, 1, "relu");
  universal<Gemm<half_t, Row, Column, half_t, Row, float, Shape<64, 64, 64>, Shape<32, 32, 64>, 3>>(
      "f16_tn_64x64_batched", 64, 64, 64, 1, 0, "none", GemmUniversalMode::kBatched, 3);
  universal<Gemm<half_t, Row, Column, float, Row, float, Shape<64, 64, 32>, Shape<32, 32, 32>, 3>>(
      "f16_tn_64x64_split_k", 64, 64, 192, 2, 1, "none", GemmUniversalMode::kGemm, 3);
  universal<Gemm<half_t, Row, Column, half_t, Row, float, Shape<64, 64, 32>, Shape<32, 32, 32>, 3,
                 LinearCombination<half_t, 8, float, float>,
                 cutlass::gemm::threadblock::ThreadblockSwizzleStreamK>>("f16_tn_64x64_stream_k", 128, 192, 160, 1, 1);

  using Parallel =
      cutlass::gemm::device::GemmSplitKParallel<half_t, Row, half_t, Column, float, Row, float, OpClassTensorOp, Sm80,
                                                Shape<64, 64, 32>, Shape<32, 32, 32>, Instruction,
                                                LinearCombination<float, 4, float, float>>;
  const int m = 64, n = 64, k = 128;
  std::printf("case f16_tn_64x64_split_k_reduce\n");
  half_t* a = buffer<half_t>(m * k);
  half_t* b = buffer<half_t>(k * n);
  float* c = buffer<float>(m * n);
  float* d = buffer<float>(m * n);
  Product p{m, n, k, 1, 1, 2};
  p.a = view(a, k, 1), p.b = view(b, 1, k), p.c = view(c, n, 1), p.d = view(d, n, 1);
  product(p);
  Parallel::Arguments arguments({m, n, k}, {a, k}, {b, k}, {c, n}, {d, n}, {1.f, 2.f}, 2);
  Parallel gemm;
  require(gemm.initialize(arguments, buffer<char>(Parallel::get_workspace_size(arguments))), "split k");
  require(gemm.run(), "split k");
}
