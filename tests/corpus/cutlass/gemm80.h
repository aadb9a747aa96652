// Products by CUTLASS' device-wide operators for sm_80: one call makes buffers, description and launches of a case.
#pragma once

#include "problem.h"

#include "cutlass/epilogue/thread/linear_combination.h"
#include "cutlass/epilogue/thread/linear_combination_clamp.h"
#include "cutlass/epilogue/thread/linear_combination_relu.h"
#include "cutlass/gemm/device/gemm_universal.h"

namespace raddle {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;
using cutlass::gemm::GemmUniversalMode;

template <class T, class Layout>
View matrix(T* at, long ld, long batch = 0) {
  constexpr bool is_row = cutlass::platform::is_same<Layout, Row>::value;
  return view(at, is_row ? ld : 1, is_row ? 1 : ld, batch);
}

/// Distance of the rows, or columns, of a packed matrix.
template <class Layout>
int leading(int rows, int columns) {
  return cutlass::platform::is_same<Layout, Row>::value ? columns : rows;
}

/// Runs a `GemmUniversal`: plain, batched, or with K split over `count` blocks.
template <class Gemm>
void universal(const char* name, int m, int n, int k, float alpha, float beta, const char* how = "none",
               GemmUniversalMode mode = GemmUniversalMode::kGemm, int count = 1) {
  using A = typename Gemm::ElementA;
  using B = typename Gemm::ElementB;
  using C = typename Gemm::ElementC;
  using Scale = typename Gemm::EpilogueOutputOp::ElementCompute;
  std::printf("case %s\n", name);
  const int batch = mode == GemmUniversalMode::kBatched ? count : 1;
  const long mk = long(m) * k, kn = long(k) * n, mn = long(m) * n;
  const int lda = leading<typename Gemm::LayoutA>(m, k);
  const int ldb = leading<typename Gemm::LayoutB>(k, n);
  const int ldc = leading<typename Gemm::LayoutC>(m, n);
  A* a = buffer<A>(mk * batch);
  B* b = buffer<B>(kn * batch);
  C* c = buffer<C>(mn * batch);
  C* d = buffer<C>(mn * batch);
  Product p{m, n, k, batch, alpha, beta, how};
  p.a = matrix<A, typename Gemm::LayoutA>(a, lda, mk);
  p.b = matrix<B, typename Gemm::LayoutB>(b, ldb, kn);
  p.c = matrix<C, typename Gemm::LayoutC>(c, ldc, mn);
  p.d = matrix<C, typename Gemm::LayoutC>(d, ldc, mn);
  product(p);
  typename Gemm::Arguments arguments(mode, {m, n, k}, count, {Scale(alpha), Scale(beta)}, a, b, c, d, mk, kn, mn, mn,
                                     lda, ldb, ldc, ldc);
  require(Gemm::can_implement(arguments), name);
  Gemm gemm;
  void* workspace = nullptr;
  if (size_t bytes = Gemm::get_workspace_size(arguments)) workspace = buffer<char>(bytes);
  require(gemm.initialize(arguments, workspace), name);
  require(gemm.run(), name);
}

}  // namespace raddle
