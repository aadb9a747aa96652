// Convolution with coefficients in constant memory, and a table and a counter in global memory.
__constant__ float taps[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__device__ unsigned weights[4] = {3, 5, 7, 11};
__device__ unsigned total;
extern "C" __global__ void filter(const float *__restrict__ x, float *__restrict__ y, unsigned *__restrict__ sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < 5; ++k) {
        int p = min(max(i + k - 2, 0), n - 1);
        sum += taps[k] * x[p];
    }
    y[i] = sum;
    atomicAdd(&total, weights[i & 3]);
    sums[i] = weights[(i + 1) & 3];
}
