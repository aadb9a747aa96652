// Counts of 64 bins: atomics in shared memory, then into global memory.
extern "C" __global__ void histogram(const unsigned *__restrict__ x, unsigned *__restrict__ bins, int n) {
    __shared__ unsigned local[64];
    if (threadIdx.x < 64) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[(x[i] * 2654435769u) >> 26], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
