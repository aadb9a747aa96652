// Products of f16 and bf16 by wgmma, with copies by TMA or cp.async and warps that specialise.

#include "gemm90.h"

using namespace raddle;
using cutlass::bfloat16_t;
using cutlass::half_t;
namespace gemm = cutlass::gemm;
namespace epilogue = cutlass::epilogue;

struct Cooperative : Plain {};

struct Pingpong : Plain {
  using Block = Tile<64, 128, 64>;
  using Main = gemm::KernelTmaWarpSpecializedPingpong;
  using Epilogue = epilogue::TmaWarpSpecialized;
};

/// The result is written where operands were, by warps that have waited for their own products only. That those of the
/// other warps are done, too, PTX does not say; the wait of all for C makes it so (with beta = 0 it is a finding).
struct Specialized : Plain {
  using A = bfloat16_t;
  using B = A;
  using C = bfloat16_t;
  using D = C;
  using LayoutA = Column;
  using LayoutB = Row;
  using Block = Tile<64, 64, 64>;
  using Main = gemm::KernelTmaWarpSpecialized;
  using Epilogue = epilogue::TmaWarpSpecialized;
};

struct Clustered : Plain {
  using C = float;
  using D = float;
  using LayoutC = Column;
  using Block = Tile<128, 64, 64>;
  using Cluster = Tile<2, 1, 1>;
};

struct ClusteredBoth : Plain {
  using A = bfloat16_t;
  using B = A;
  using Block = Tile<64, 64, 32>;
  using Cluster = Tile<2, 2, 1>;
  using Main = gemm::KernelTmaWarpSpecializedPingpong;
  using Epilogue = epilogue::TmaWarpSpecialized;
};

struct NoStaging : Plain {
  using Block = Tile<64, 128, 64>;
  using Main = gemm::KernelTma;
  using Epilogue = epilogue::NoSmemWarpSpecialized;
};

/// CUTLASS has no fence.proxy.async between cp.async and wgmma, which PTX demands.
struct Asynchronous : Plain {
  static constexpr bool ordered = false;
  using Block = Tile<64, 64, 64>;
  using Main = gemm::KernelCpAsyncWarpSpecialized;
  using Epilogue = epilogue::NoSmemWarpSpecialized;
};

struct StreamK : Plain {
  using Scheduler = gemm::StreamKScheduler;
};

struct Half : Plain {
  using Sum = half_t;
  using Scale = half_t;
  using LayoutB = Row;
};

struct Wide : Plain {
  using Block = Tile<128, 256, 64>;
};

struct Relu : Plain {
  using Block = Tile<64, 64, 64>;
  using Main = gemm::KernelTmaWarpSpecializedPingpong;
  using Epilogue = epilogue::TmaWarpSpecialized;
  template <class D, class Scale, class C>
  using Fusion = epilogue::fusion::LinCombPerRowBiasEltAct<epilogue::thread::ReLu, D, Scale, float, C, Scale>;
  static constexpr const char* how = "relu";
};

int main() {
  universal<Cooperative>("f16_tn_128x128_cooperative", 128, 120, 136, 1.5, 0.5);
  universal<Pingpong>("f16_tn_64x128_pingpong", 192, 256, 128, 1, 1);
  universal<Specialized>("bf16_nt_64x64_specialized", 64, 64, 128, 1, 1);
  universal<Clustered>("f16_tn_128x64_cluster_2x1", 256, 64, 128, 1, 2);
  universal<ClusteredBoth>("bf16_tn_64x64_cluster_2x2", 128, 128, 96, 1, 0);
  universal<NoStaging>("f16_tn_64x128_tma_no_staging", 64, 128, 128, 1, 1);
  universal<Asynchronous>("f16_tn_64x64_cp_async", 64, 64, 128, 1, 1);
  universal<StreamK>("f16_tn_128x128_stream_k", 128, 384, 256, 1, 0);
  universal<Half>("f16_tt_128x128_sum_f16", 128, 128, 64, 1, 1);
  universal<Wide>("f16_tn_128x256_batched", 128, 256, 64, 1, 0, 2);
  universal<Relu>("f16_tn_64x64_bias_relu", 64, 64, 64, 1, 1);
}
