// Sum of each block's elements by a tree in shared memory.
extern "C" __global__ void reduce_shared(const float *__restrict__ x, float *__restrict__ sums, int n) {
    __shared__ float part[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}
