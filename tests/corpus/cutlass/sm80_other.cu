// Products of tf32, f32 by tf32 thrice, f64, integers and complex numbers; f32 without tensor cores; sparse f16.

#include "gemm80.h"

#include "cutlass/gemm/device/gemm_sparse.h"

using namespace raddle;
using cutlass::half_t;
using cutlass::tfloat32_t;
using cutlass::arch::OpClassSimt;
using cutlass::arch::OpClassTensorOp;
using cutlass::arch::Sm80;
using cutlass::epilogue::thread::LinearCombination;
using cutlass::epilogue::thread::LinearCombinationClamp;
using Swizzle = cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>;

template <class T, class LA, class LB, class D, class Sum, class Block, class Warp, class Instruction, int Stages,
          class Epilogue, int Align,
          class Operator = cutlass::arch::OpMultiplyAdd, class Class = OpClassTensorOp>
using Gemm = cutlass::gemm::device::GemmUniversal<T, LA, T, LB, D, Row, Sum, Class, Sm80, Block, Warp, Instruction,
                                                  Epilogue, Swizzle, Stages, Align, Align, Operator>;

void sparse() {
  using Gemm = cutlass::gemm::device::SparseGemm<half_t, Row, half_t, Column, float, Row, float, OpClassTensorOp, Sm80,
                                                 Shape<128, 64, 64>, Shape<64, 32, 64>, Shape<16, 8, 32>,
                                                 LinearCombination<float, 4, float, float>, Swizzle, 3>;
  const int m = 128, n = 64, k = 128;
  std::printf("case f16_sparse_128x64\n");
  half_t* a = buffer<half_t>(m * k / 2);
  half_t* b = buffer<half_t>(k * n);
  float* c = buffer<float>(m * n);
  float* d = buffer<float>(m * n);
  using E = Gemm::ElementE;
  const int count = m * k / 2 / Gemm::kElementsPerElementE;
  E* e = buffer<E>(count);
  // The first two of each four are kept: their numbers are 0 and 1.
  cudaMemset(e, 0x44, count * sizeof(E));
  Product p{m, n, k, 1, 1, 1, "half"};
  p.a = view(a, k / 2, 1), p.b = view(b, 1, k), p.c = view(c, n, 1), p.d = view(d, n, 1);
  product(p);
  auto layout = Gemm::LayoutE::packed({m, k / 2 / Gemm::kElementsPerElementE});
  Gemm::Arguments arguments({m, n, k}, {a, k / 2}, {b, k}, {c, n}, {d, n}, {e, layout}, {1.f, 1.f});
  Gemm gemm;
  require(gemm.initialize(arguments), "sparse");
  require(gemm.run(), "sparse");
}

int main() {
  universal<Gemm<tfloat32_t, Row, Column, float, float, Shape<128, 128, 16>, Shape<64, 64, 16>, Shape<16, 8, 8>, 3,
                 LinearCombination<float, 4, float, float>, 4>>("tf32_tn_128x128", 124, 116, 52, 1, 0.5);
  universal<Gemm<float, Column, Row, float, float, Shape<64, 64, 16>, Shape<32, 32, 16>, Shape<16, 8, 8>, 3,
                 LinearCombination<float, 4, float, float>, 4, cutlass::arch::OpMultiplyAddFastF32>>(
      "f32_by_3_tf32_nt_64x64", 64, 60, 32, 1, 0);
  universal<Gemm<double, Row, Column, double, double, Shape<64, 64, 16>, Shape<32, 32, 16>, Shape<8, 8, 4>, 4,
                 LinearCombination<double, 1, double, double>, 1>>("f64_tn_64x64", 63, 61, 37, 1.5, 1);
  universal<Gemm<int8_t, Row, Column, int32_t, int32_t, Shape<128, 128, 64>, Shape<64, 64, 64>, Shape<16, 8, 32>, 3,
                 LinearCombination<int32_t, 4, int32_t, int32_t>, 16, cutlass::arch::OpMultiplyAddSaturate>>(
      "s8_tn_128x128_s32", 128, 120, 144, 1, 2);
  universal<Gemm<int8_t, Row, Column, int8_t, int32_t, Shape<64, 128, 64>, Shape<32, 64, 64>, Shape<16, 8, 32>, 3,
                 LinearCombinationClamp<int8_t, 16, int32_t, float>, 16, cutlass::arch::OpMultiplyAddSaturate>>(
      "s8_tn_64x128_clamped", 64, 128, 128, 0.5, 1);
  universal<Gemm<float, Column, Row, float, float, Shape<128, 64, 8>, Shape<32, 32, 8>, Shape<1, 1, 1>, 4,
                 LinearCombination<float, 1, float, float>, 1, cutlass::arch::OpMultiplyAdd, OpClassSimt>>(
      "f32_fma_128x64", 127, 63, 21, 1, 1);
  sparse();
}
