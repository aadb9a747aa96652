// A stand-in for the CUDA runtime and the driver's tensor maps: nothing runs, everything is written down.
//
// Programs of this folder are linked with it in place of the CUDA runtime. One line of output for each thing that a
// device would do, in order: `buffer`, `fill`, `copy`, `launch`. Addresses are places that no device has; whoever runs
// the launches puts real ones in their place. PARAMETERS names the parameters' sizes of each kernel, one line a kernel:
// name and sizes; the runtime learns them from the machine code, of which there is none here.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

namespace {

struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};

std::map<const void*, std::string>& kernels() {
  static std::map<const void*, std::string> all;
  return all;
}

std::vector<Configuration>& configurations() {
  static std::vector<Configuration> all;
  return all;
}

std::vector<size_t> sizes(const std::string& kernel) {
  const char* path = std::getenv("PARAMETERS");
  std::ifstream file(path ? path : "");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (name != kernel) continue;
    std::vector<size_t> all;
    for (size_t size; words >> size;) all.push_back(size);
    return all;
  }
  std::fprintf(stderr, "no sizes of the parameters of %s\n", kernel.c_str());
  std::exit(1);
}

void hex(const void* data, size_t count) {
  for (size_t i = 0; i < count; ++i) std::printf("%02x", static_cast<const unsigned char*>(data)[i]);
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, dim3 cluster, size_t shared, void** args) {
  const std::string& kernel = kernels()[function];
  std::printf("launch %s %u %u %u %u %u %u %u %u %u %zu", kernel.c_str(), grid.x, grid.y, grid.z, block.x, block.y, block.z,
              cluster.x, cluster.y, cluster.z, shared);
  size_t n = 0;
  for (size_t size : sizes(kernel)) {
    std::printf(" ");
    hex(args[n++], size);
  }
  std::printf("\n");
  return cudaSuccess;
}

/// The first of the addresses that no device has; each buffer has 4 GiB of them. Padding holds parts of addresses, so
/// that one run does not tell what is an address: FIRST, a number without a prefix in hexadecimal, is another for the
/// second run.
uint64_t first() {
  const char* text = std::getenv("FIRST");
  return text ? std::strtoull(text, nullptr, 16) : 0;
}
uint64_t buffers = 0;

struct Bits {
  unsigned char* map;
  void set(unsigned first, unsigned count, uint64_t value) {
    for (unsigned i = 0; i < count; ++i)
      if (value >> i & 1) map[(first + i) / 8] |= static_cast<unsigned char>(1u << (first + i) % 8);
  }
};

/// The number in the map of a type of the driver's interface.
int element(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8: return 0;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16: return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32: return 2;
    case CU_TENSOR_MAP_DATA_TYPE_INT32: return 3;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64: return 4;
    case CU_TENSOR_MAP_DATA_TYPE_INT64: return 5;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16: return 6;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32: return 7;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ: return 8;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64: return 9;
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16: return 10;
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32: return 11;
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ: return 12;
    default: return -1;
  }
}

}  // namespace

extern "C" {

// What nvcc's host code calls.

void** __cudaRegisterFatBinary(void*) {
  static void* handle;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* device, int, uint3*, uint3*, dim3*, dim3*, int*) {
  kernels()[host] = device;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, size_t, int, int) {}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args, size_t shared, cudaStream_t) {
  return launch(kernel, grid, block, dim3(1, 1, 1), shared, args);
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  Configuration last = configurations().back();
  configurations().pop_back();
  *grid = last.grid, *block = last.block, *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}

// What CUTLASS calls.

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** args, size_t shared, cudaStream_t) {
  return launch(function, grid, block, dim3(1, 1, 1), shared, args);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* function, void** args) {
  dim3 cluster(1, 1, 1);
  for (unsigned i = 0; i < how->numAttrs; ++i) {
    const cudaLaunchAttribute& one = how->attrs[i];
    if (one.id != cudaLaunchAttributeClusterDimension) continue;
    cluster = dim3(one.val.clusterDim.x, one.val.clusterDim.y, one.val.clusterDim.z);
  }
  return launch(function, how->gridDim, how->blockDim, cluster, how->dynamicSmemBytes, args);
}
cudaError_t cudaMalloc(void** at, size_t bytes) {
  *at = reinterpret_cast<void*>(first() + (buffers++ << 32));
  std::printf("buffer %llu %zu\n", reinterpret_cast<unsigned long long>(*at), bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void*) { return cudaSuccess; }
cudaError_t cudaMemsetAsync(void* at, int value, size_t bytes, cudaStream_t) {
  std::printf("fill %llu %zu %d\n", reinterpret_cast<unsigned long long>(at), bytes, value & 255);
  return cudaSuccess;
}
cudaError_t cudaMemset(void* at, int value, size_t bytes) { return cudaMemsetAsync(at, value, bytes, nullptr); }
cudaError_t cudaMemcpy(void* at, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice) return cudaErrorNotSupported;
  std::printf("copy %llu ", reinterpret_cast<unsigned long long>(at));
  hex(from, bytes);
  std::printf("\n");
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* at, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(at, from, bytes, kind);
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t) { return "an error"; }
const char* cudaGetErrorName(cudaError_t) { return "error"; }
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDA_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  *value = which == cudaDevAttrMultiProcessorCount ? 2 : which == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 232448 : 0;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int, size_t, unsigned) {
  *blocks = 1;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, size_t) {
  *blocks = 1;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void*, const cudaLaunchConfig_t*) {
  *clusters = 1;
  return cudaSuccess;
}

/// Writes the fields that tensormap.replace can write, each where it writes it; the others stay 0.
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* at,
                                const cuuint64_t* size, const cuuint64_t* stride, const cuuint32_t* box,
                                const cuuint32_t* step, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  int number = element(type);
  if (number < 0 || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
    return CUDA_ERROR_INVALID_VALUE;
  bool tf32 = number > 10;
  std::memset(map, 0, sizeof *map);
  Bits bits{reinterpret_cast<unsigned char*>(map)};
  bits.set(0, 64, reinterpret_cast<uint64_t>(at));
  const unsigned flags = 8 * 0x08;
  bits.set(flags + 4, 3, rank - 1);
  bits.set(flags + 7, 4, tf32 ? number - 4 : number);
  bits.set(flags + 13, 2, swizzle);
  bits.set(flags + 15, 1, fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  bits.set(flags + 16, 1, tf32);
  for (unsigned i = 0; i < rank; ++i) {
    bits.set(8 * (0x20 + 4 * i), 32, size[i] - 1);
    bits.set(8 * 0x34 + 3 * i, 3, step[i] - 1);
    bits.set(8 * (0x37 + i), 8, box[i] - 1);
  }
  for (unsigned i = 0; i + 1 < rank; ++i) {
    bits.set(8 * (0x0c + 4 * i), 32, stride[i] >> 4);
    bits.set(8 * 0x1c + 4 * i, 4, stride[i] >> 36);
  }
  return CUDA_SUCCESS;
}
CUresult cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                 const cuuint64_t*, const int*, const int*, cuuint32_t, cuuint32_t, const cuuint32_t*,
                                 CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill) {
  return CUDA_ERROR_NOT_SUPPORTED;
}
}
