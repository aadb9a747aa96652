// Products by CUTLASS' collective builders for sm_90a: one call makes buffers, description and launches of a case.
#pragma once

#include "problem.h"

#include "cute/tensor.hpp"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/epilogue/fusion/operations.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/gemm/kernel/tile_scheduler.hpp"

namespace raddle {

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <int M, int N, int K>
using Tile = cute::Shape<cute::Int<M>, cute::Int<N>, cute::Int<K>>;

/// What most cases have in common; a case changes what it is about.
struct Plain {
  using A = cutlass::half_t;
  using B = A;
  using C = cutlass::half_t;
  using D = C;
  using LayoutA = Row;
  using LayoutB = Column;
  using LayoutC = Row;
  using Sum = float;
  using Scale = float;
  using Block = Tile<128, 128, 64>;
  using Cluster = Tile<1, 1, 1>;
  using Main = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = cutlass::epilogue::TmaWarpSpecializedCooperative;
  using Stages = void;
  using Scheduler = void;
  using Problem = cute::Shape<int, int, int, int>;
  template <class D, class Scale, class C>
  using Fusion = cutlass::epilogue::fusion::LinearCombination<D, Scale, C, Scale>;
  static constexpr const char* how = "none";
  /// Whether the kernel orders memory as PTX demands.
  static constexpr bool ordered = true;
};

template <class T>
constexpr int align = 128 / cutlass::sizeof_bits<T>::value;

template <class H>
struct Made {
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, typename H::Block, typename H::Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, typename H::Sum, typename H::Scale, typename H::C,
      typename H::LayoutC, align<typename H::C>, typename H::D, typename H::LayoutC, align<typename H::D>,
      typename H::Epilogue, typename H::template Fusion<typename H::D, typename H::Scale, typename H::C>>::CollectiveOp;
  using Carveout =
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename Epilogue::SharedStorage))>;
  using Stages = cute::conditional_t<cute::is_void_v<typename H::Stages>, Carveout, typename H::Stages>;
  using Main = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, typename H::A, typename H::LayoutA, align<typename H::A>,
      typename H::B, typename H::LayoutB, align<typename H::B>, typename H::Sum, typename H::Block, typename H::Cluster,
      Stages, typename H::Main>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<typename H::Problem, Main, Epilogue, typename H::Scheduler>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
};

/// A packed matrix of `rows` by `columns` in this layout, or one for each of a batch.
template <class Layout, class T>
View packed(T* at, long rows, long columns) {
  constexpr bool is_row = cute::is_same_v<Layout, Row>;
  return view(at, is_row ? columns : 1, is_row ? 1 : rows, rows * columns);
}

/// The stride that CuTe wants for it: of the rows of A, C and D, of the columns of B.
template <class Stride>
Stride stride(long outer, long batch) {
  Stride s{};
  if constexpr (cute::is_static_v<cute::tuple_element_t<1, Stride>>)
    cute::get<0>(s) = outer;
  else
    cute::get<1>(s) = outer;
  cute::get<2>(s) = batch;
  return s;
}

/// Runs the case `H`.
template <class H>
void universal(const char* name, int m, int n, int k, float alpha, float beta, int batch = 1) {
  using Gemm = typename Made<H>::Gemm;
  using A = typename H::A;
  using B = typename H::B;
  using C = typename H::C;
  using D = typename H::D;
  std::printf("case %s\n", name);
  if (!H::ordered) std::printf("unordered\n");
  A* a = buffer<A>(long(m) * k * batch);
  B* b = buffer<B>(long(k) * n * batch);
  C* c = buffer<C>(long(m) * n * batch);
  D* d = buffer<D>(long(m) * n * batch);
  Product p{m, n, k, batch, alpha, beta, H::how};
  p.a = packed<typename H::LayoutA>(a, m, k);
  p.b = packed<typename H::LayoutB>(b, k, n);
  p.c = packed<typename H::LayoutC>(c, m, n);
  p.d = packed<typename H::LayoutC>(d, m, n);
  typename Gemm::Arguments arguments{};
  arguments.mode = cutlass::gemm::GemmUniversalMode::kGemm;
  arguments.problem_shape = {m, n, k, batch};
  auto outer = [](const View& v) { return v.row == 1 ? v.column : v.row; };
  arguments.mainloop.ptr_A = a;
  arguments.mainloop.dA = stride<typename Gemm::GemmKernel::StrideA>(outer(p.a), long(m) * k);
  arguments.mainloop.ptr_B = b;
  arguments.mainloop.dB = stride<typename Gemm::GemmKernel::StrideB>(outer(p.b), long(k) * n);
  arguments.epilogue.thread.alpha = typename H::Scale(alpha);
  arguments.epilogue.thread.beta = typename H::Scale(beta);
  arguments.epilogue.ptr_C = c;
  arguments.epilogue.dC = stride<typename Gemm::GemmKernel::StrideC>(outer(p.c), long(m) * n);
  arguments.epilogue.ptr_D = d;
  arguments.epilogue.dD = stride<typename Gemm::GemmKernel::StrideD>(outer(p.d), long(m) * n);
  if constexpr (requires { arguments.epilogue.thread.bias_ptr; }) {
    float* bias = buffer<float>(m);
    arguments.epilogue.thread.bias_ptr = bias;
    p.bias = view(bias, 1, 0);
  }
  product(p);
  // Two clusters at once: a larger problem is done by blocks that take several tiles.
  arguments.hw_info.sm_count = 2 * cute::size(typename H::Cluster{});
  arguments.hw_info.cluster_shape = dim3(cute::size<0>(typename H::Cluster{}), cute::size<1>(typename H::Cluster{}), 1);
  if constexpr (requires { H::schedule(arguments); }) H::schedule(arguments);
  require(Gemm::can_implement(arguments), name);
  Gemm gemm;
  void* workspace = nullptr;
  if (size_t bytes = Gemm::get_workspace_size(arguments)) workspace = buffer<char>(bytes);
  require(gemm.initialize(arguments, workspace), name);
  require(gemm.run(), name);
}

}  // namespace raddle
