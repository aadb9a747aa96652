// Sums and products of matrices in shared memory.
#include "check.h"

template <class T> __global__ void tree(const T *x, T *out, int n) {
    __shared__ T part[256];
    T sum = 0;
    for (int k = blockIdx.x * 256 + threadIdx.x; k < n; k += gridDim.x * 256) sum += x[k];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int width = 128; width; width /= 2) {
        if (threadIdx.x < width) part[threadIdx.x] += part[threadIdx.x + width];
        __syncthreads();
    }
    if (!threadIdx.x) out[blockIdx.x] = part[0];
}

template <class T> __global__ void shuffled(const T *x, T *out, int n) {
    __shared__ T part[32];
    T sum = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) sum += x[k];
    for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : T(0);
        for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
        if (!threadIdx.x) out[blockIdx.x] = sum;
    }
}

__global__ void four(const float4 *x, float *out, int n) {
    float sum = 0;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        float4 v = x[k];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

template <class T, int B> __global__ void matmul(const T *a, const T *b, T *c, int n) {
    __shared__ T left[B][B], right[B][B + 1];
    int row = blockIdx.y * B + threadIdx.y, column = blockIdx.x * B + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < n; k += B) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < B; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// Each thread computes 8 x 8 results.
__global__ __launch_bounds__(256) void matmul8(const float *a, const float *b, float *c, int n) {
    __shared__ float left[8][128], right[8][128];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float sum[8][8] = {};
    for (int k = 0; k < n; k += 8) {
        for (int i = threadIdx.x; i < 1024; i += 256) {
            left[i % 8][i / 8] = a[(blockIdx.y * 128 + i / 8) * n + k + i % 8];
            right[i / 128][i % 128] = b[(k + i / 128) * n + blockIdx.x * 128 + i % 128];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float l[8], r[8];
#pragma unroll
            for (int j = 0; j < 8; j++) l[j] = left[i][y * 8 + j], r[j] = right[i][x + 16 * j];
#pragma unroll
            for (int p = 0; p < 8; p++)
#pragma unroll
                for (int q = 0; q < 8; q++) sum[p][q] += l[p] * r[q];
        }
        __syncthreads();
    }
    for (int p = 0; p < 8; p++)
        for (int q = 0; q < 8; q++) c[(blockIdx.y * 128 + y * 8 + p) * n + blockIdx.x * 128 + x + 16 * q] = sum[p][q];
}

template <class T> void sums(const char *name, double off) {
    int n = 100003;
    Array<T> x(n), out(64), out2(64);
    double want = 0;
    for (int k = 0; k < n; k++) x[k] = off ? T(next_float()) : T((int)next_random() % 1000), want += x[k];
    x.put();
    tree<T><<<64, 256>>>(x.device, out.device, n);
    shuffled<T><<<64, 192>>>(x.device, out2.device, n);
    out.get(), out2.get(), out.hash(), out2.hash();
    double a = 0, b = 0;
    for (int k = 0; k < 64; k++) a += out[k], b += out2[k];
    near(name, 0, a, want, off), near(name, 1, b, want, off);
}

int main(int argc, char **argv) {
    sums<float>("float", 1e-4), sums<double>("double", 1e-12), sums<int>("int", 0), sums<long long>("long", 0);
    int n = 256;
    Array<float> a(n * n), b(n * n), c(n * n), c8(n * n);
    Array<double> ad(n * n), bd(n * n), cd(n * n);
    for (int k = 0; k < n * n; k++) ad[k] = a[k] = next_float(), bd[k] = b[k] = next_float();
    a.put(), b.put(), ad.put(), bd.put();
    matmul<float, 16><<<dim3(16, 16), dim3(16, 16)>>>(a.device, b.device, c.device, n);
    matmul<double, 16><<<dim3(16, 16), dim3(16, 16)>>>(ad.device, bd.device, cd.device, n);
    matmul8<<<dim3(2, 2), 256>>>(a.device, b.device, c8.device, n);
    c.get(), cd.get(), c8.get(), c.hash(), cd.hash(), c8.hash();
    for (int y = 0; y < n; y += 7)
        for (int x = 0; x < n; x++) {
            double want = 0;
            for (int k = 0; k < n; k++) want += ad[y * n + k] * bd[k * n + x];
            near("matmul f32", y * n + x, c[y * n + x], want, 1e-5), near("matmul f64", y * n + x, cd[y * n + x], want, 1e-14);
            near("matmul 8x8", y * n + x, c8[y * n + x], want, 1e-5);
        }
    if (timing(argc, argv)) {
        int big = 1 << 26;
        Array<float> x(big, 0.5f), out(1024), m(1 << 22, 0.25f), r(1 << 22);
        measure("sum_tree", [&] { tree<float><<<1024, 256>>>(x.device, out.device, big); });
        measure("sum_shuffled", [&] { shuffled<float><<<1024, 256>>>(x.device, out.device, big); });
        measure("sum_four", [&] { four<<<1024, 256>>>((float4 *)x.device, out.device, big / 4); });
        measure("matmul_16", [&] { matmul<float, 16><<<dim3(128, 128), dim3(16, 16)>>>(m.device, m.device, r.device, 2048); });
        measure("matmul_8x8", [&] { matmul8<<<dim3(16, 16), 256>>>(m.device, m.device, r.device, 2048); });
    }
    return finish();
}
