// A kernel whose function is in another object.
__device__ int square(int x);

extern "C" __global__ void caller(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = square(x[i]) + 1;
}

void launch(const int *x, int *y, int n) { caller<<<(n + 63) / 64, 64>>>(x, y, n); }
