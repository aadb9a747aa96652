// Ninety values that are all alive at once, in 64 registers: some have to live in local memory.
extern "C" __global__ void __launch_bounds__(1024, 1) spill(const unsigned *__restrict__ x, unsigned *__restrict__ y, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v[90];
#pragma unroll
    for (int k = 0; k < 90; ++k) v[k] = x[i + k * n];
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 90; ++k) v[k] = v[k] * 0x9e3779b1u + (v[(k + 31) % 90] ^ v[(k + 61) % 90]);
    }
#pragma unroll
    for (int k = 0; k < 90; ++k) y[i + k * n] = v[k];
}
