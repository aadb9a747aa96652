// Products of 8-bit floats, integers and tf32 by wgmma, of two types at once, and of lists of matrices.

#include "gemm90.h"

using namespace raddle;
using cutlass::bfloat16_t;
using cutlass::float_e4m3_t;
using cutlass::float_e5m2_t;
using cutlass::half_t;
using cutlass::tfloat32_t;
namespace gemm = cutlass::gemm;
namespace epilogue = cutlass::epilogue;

struct Pingpong : Plain {
  using Block = Tile<64, 64, 128>;
  using Main = gemm::KernelTmaWarpSpecializedPingpong;
  using Epilogue = epilogue::TmaWarpSpecialized;
};

struct Bytes : Plain {
  using A = float_e4m3_t;
  using B = float_e4m3_t;
  using Block = Tile<128, 128, 128>;
};

struct BytesFast : Pingpong {
  using A = float_e4m3_t;
  using B = float_e5m2_t;
  using C = bfloat16_t;
  using D = C;
  using Main = gemm::KernelTmaWarpSpecializedPingpongFP8FastAccum;
};

struct BytesOut : Pingpong {
  using A = float_e5m2_t;
  using B = float_e4m3_t;
  using C = float;
  using D = float_e4m3_t;
};

struct Integers : Plain {
  using A = int8_t;
  using B = int8_t;
  using C = int32_t;
  using D = int32_t;
  using Sum = int32_t;
  using Scale = int32_t;
  using Block = Tile<128, 128, 128>;
};

struct IntegersUnsigned : Pingpong {
  using A = uint8_t;
  using B = int8_t;
  using C = int32_t;
  using D = int32_t;
  using Sum = int32_t;
  using Scale = int32_t;
};

struct Tf32 : Pingpong {
  using A = tfloat32_t;
  using B = tfloat32_t;
  using C = float;
  using D = float;
  using Block = Tile<64, 64, 32>;
};

/// A in another layout than the product takes: it goes through registers.
struct Tf32Registers : Tf32 {
  using LayoutA = Column;
  using LayoutB = Row;
  using Main = gemm::KernelTmaWarpSpecialized;
};

struct Mixed : Plain {
  using A = int8_t;
  using B = half_t;
  using Block = Tile<128, 64, 64>;
  using Main = gemm::KernelTmaWarpSpecializedCooperative;
};

struct MixedBytes : Pingpong {
  using A = float_e4m3_t;
  using B = bfloat16_t;
  using C = bfloat16_t;
  using D = C;
  using Block = Tile<64, 64, 64>;
  using Main = gemm::KernelTmaWarpSpecializedPingpong;
};

struct List : Plain {
  using Block = Tile<128, 64, 64>;
  using Main = gemm::KernelPtrArrayTmaWarpSpecializedCooperative;
  using Epilogue = epilogue::PtrArrayTmaWarpSpecializedCooperative;
  using Problem = gemm::ArrayProblemShape<cute::Shape<int, int, int, int>>;
};

/// Matrices that are found by lists of their addresses: the tensor maps are changed on the device.
void list(const char* name, int m, int n, int k, int batch) {
  using H = List;
  using Gemm = Made<H>::Gemm;
  std::printf("case %s\n", name);
  const long mk = long(m) * k, kn = long(k) * n, mn = long(m) * n;
  half_t* a = buffer<half_t>(mk * batch);
  half_t* b = buffer<half_t>(kn * batch);
  half_t* c = buffer<half_t>(mn * batch);
  half_t* d = buffer<half_t>(mn * batch);
  auto addresses = [&](half_t* first, long distance) {
    half_t** list = new half_t*[batch];
    for (int i = 0; i < batch; ++i) list[i] = first + i * distance;
    half_t** there = buffer<half_t*>(batch);
    cudaMemcpy(there, list, batch * sizeof *list, cudaMemcpyHostToDevice);
    delete[] list;
    return there;
  };
  Product p{m, n, k, batch, 1, 1};
  p.a = packed<H::LayoutA>(a, m, k), p.b = packed<H::LayoutB>(b, k, n);
  p.c = packed<H::LayoutC>(c, m, n), p.d = packed<H::LayoutC>(d, m, n);
  product(p);
  Gemm::Arguments arguments{};
  arguments.mode = gemm::GemmUniversalMode::kArray;
  arguments.problem_shape = {{m, n, k, batch}};
  arguments.mainloop.ptr_A = const_cast<const half_t**>(addresses(a, mk));
  arguments.mainloop.dA = stride<Gemm::GemmKernel::StrideA>(k, 0);
  arguments.mainloop.ptr_B = const_cast<const half_t**>(addresses(b, kn));
  arguments.mainloop.dB = stride<Gemm::GemmKernel::StrideB>(k, 0);
  arguments.epilogue.thread.alpha = 1;
  arguments.epilogue.thread.beta = 1;
  arguments.epilogue.ptr_C = const_cast<const half_t**>(addresses(c, mn));
  arguments.epilogue.dC = stride<Gemm::GemmKernel::StrideC>(n, 0);
  arguments.epilogue.ptr_D = addresses(d, mn);
  arguments.epilogue.dD = stride<Gemm::GemmKernel::StrideD>(n, 0);
  arguments.hw_info.sm_count = 2;
  require(Gemm::can_implement(arguments), name);
  Gemm gemm;
  void* workspace = nullptr;
  if (size_t bytes = Gemm::get_workspace_size(arguments)) workspace = buffer<char>(bytes);
  require(gemm.initialize(arguments, workspace), name);
  require(gemm.run(), name);
}

int main() {
  universal<Bytes>("e4m3_128x128_cooperative", 128, 128, 144, 1, 1);
  universal<BytesFast>("e4m3_e5m2_64x64_fast", 64, 64, 256, 1, 0);
  universal<BytesOut>("e5m2_e4m3_64x64_to_e4m3", 64, 64, 128, 0.125, 0.5);
  universal<Integers>("s8_128x128_cooperative", 128, 128, 256, 2, 1);
  universal<IntegersUnsigned>("u8_s8_64x64_pingpong", 64, 128, 128, 1, 0);
  universal<Tf32>("tf32_tn_64x64_pingpong", 64, 64, 68, 1, 1);
  universal<Tf32Registers>("tf32_nt_64x64_registers", 64, 64, 64, 1, 0);
  universal<Mixed>("s8_f16_128x64_mixed", 128, 64, 128, 1, 0);
  universal<MixedBytes>("e4m3_bf16_64x64_mixed", 64, 64, 128, 1, 0);
  list("f16_128x64_list", 128, 64, 128, 3);
}
