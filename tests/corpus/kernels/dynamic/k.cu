// Reverses each block's numbers through dynamic shared memory; grids and blocks of three dimensions.
extern __shared__ int staged[];
extern "C" __global__ void dynamic(const int *__restrict__ x, int *__restrict__ y) {
    int threads = blockDim.x * blockDim.y * blockDim.z;
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    staged[t] = x[b * threads + t];
    __syncthreads();
    y[b * threads + t] = staged[threads - 1 - t] + b;
}
