// A whole program: one kernel with a device function that is inlined, and constant memory.
__constant__ int factor = 3;

__device__ int twice(int x) { return 2 * x; }

extern "C" __global__ void whole(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * twice(x[i]) + 1;
}

void launch(const int *x, int *y, int n) { whole<<<(n + 63) / 64, 64>>>(x, y, n); }
