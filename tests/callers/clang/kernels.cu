// Kernels of a program in two parts: functions, a table and a counter are in the other one.
__device__ float weighted(float x, int i);
extern __constant__ int table[4];
extern __device__ int counted;

template <typename T> __device__ T from_table(T x, int i) { return x * T(table[i % 4]); }

extern "C" __global__ void scaled(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = from_table(x[i], i);
}

// The sum of each block, in shared memory.
extern "C" __global__ void sums(const float *x, float *y) {
    __shared__ float part[128];
    part[threadIdx.x] = weighted(x[blockIdx.x * 128 + threadIdx.x], threadIdx.x);
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}

// Functions of libdevice.
extern "C" __global__ void waves(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sinf(x[i]) + expf(x[i]) * rsqrtf(x[i] + 2.0f);
}

extern "C" __global__ void counts(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0) atomicAdd(&counted, 1);
    __syncthreads();
    if (i == 0) *y = counted;
}

void launch(const int *x, int *y, const float *f, float *g) {
    scaled<<<2, 64>>>(x, y, 100);
    sums<<<3, 128>>>(f, g);
    waves<<<2, 64>>>(f, g, 100);
    counts<<<1, 64>>>(x, y, 64);
}
