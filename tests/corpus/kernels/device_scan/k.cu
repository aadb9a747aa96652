// CUB's device-wide inclusive scan in one pass: a tile waits for the sums of the tiles before it (decoupled look-back).
// The descriptors of the tiles come in as "not yet processed"; the first block marks the 32 in front as outside.
#include <cub/agent/agent_scan.cuh>

using Policy = cub::AgentScanPolicy<64, 4, int, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, cub::BLOCK_STORE_WARP_TRANSPOSE,
                                    cub::BLOCK_SCAN_WARP_SCANS>;
using Agent = cub::detail::scan::AgentScan<Policy, const int *, int *, cuda::std::plus<>, cub::NullType, int, int>;

extern "C" __global__ void __launch_bounds__(Policy::BLOCK_THREADS)
    device_scan(const int *__restrict__ in, int *__restrict__ out, unsigned long long *descriptors, int n) {
    __shared__ typename Agent::TempStorage storage;
    if (blockIdx.x == 0 && threadIdx.x < 32) atomicExch(&descriptors[threadIdx.x], (unsigned long long)cub::SCAN_TILE_OOB);
    cub::ScanTileState<int> state;
    state.Init(gridDim.x, descriptors, 0);
    Agent(storage, in, out, cuda::std::plus<>{}, cub::NullType{}).ConsumeRange(n, state, 0);
}
