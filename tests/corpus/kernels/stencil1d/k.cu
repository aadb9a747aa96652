// Sum over seven neighbours, with a halo in shared memory.
#define RADIUS 3
extern "C" __global__ void stencil1d(const int *__restrict__ x, int *__restrict__ y, int n) {
    __shared__ int tile[96 + 2 * RADIUS];
    int t = threadIdx.x, i = blockIdx.x * 96 + t;
    tile[t + RADIUS] = i < n ? x[i] : 0;
    if (t < RADIUS) {
        tile[t] = i >= RADIUS ? x[i - RADIUS] : 0;
        tile[t + 96 + RADIUS] = i + 96 < n ? x[i + 96] : 0;
    }
    __syncthreads();
    int sum = 0;
#pragma unroll
    for (int d = 0; d <= 2 * RADIUS; ++d) sum += tile[t + d];
    if (i < n) y[i] = sum;
}
