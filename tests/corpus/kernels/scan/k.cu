// Inclusive prefix sums of each block, by doubling distances in two buffers.
extern "C" __global__ void scan(const int *__restrict__ x, int *__restrict__ y, int n) {
    __shared__ int buf[2][128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, side = 0;
    buf[0][t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        buf[1 - side][t] = t >= d ? buf[side][t] + buf[side][t - d] : buf[side][t];
        side = 1 - side;
        __syncthreads();
    }
    if (i < n) y[i] = buf[side][t];
}
