// Sum of each block's elements by shuffles within warps, then across warps.
extern "C" __global__ void reduce_shuffle(const float *__restrict__ x, float *__restrict__ sums, int n) {
    __shared__ float warps[32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += x[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warps[lane] : 0.0f;
        for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}
