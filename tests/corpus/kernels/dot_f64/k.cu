// Dot products in double precision: a strided run per thread, a tree in shared memory.
extern "C" __global__ void dot_f64(const double *__restrict__ x, const double *__restrict__ y, double *__restrict__ sums, int n) {
    __shared__ double part[64];
    int t = threadIdx.x;
    double sum = 0.0;
    for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) sum += x[i] * y[i];
    part[t] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half >>= 1) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}
