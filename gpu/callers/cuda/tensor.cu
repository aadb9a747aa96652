// Tensor cores by wmma and mma, and a product that fills shared memory by asynchronous copies.
#include "check.h"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <class A, class C> __global__ void by_wmma(const A *a, const A *b, C *c, int n) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, A, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, A, wmma::col_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, C> sum;
    wmma::fill_fragment(sum, C(0));
    int row = blockIdx.y * 16, column = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 16;
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(left, a + row * n + k, n);
        wmma::load_matrix_sync(right, b + column * n + k, n);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

// Blocks of 128 x 128, K in steps of 32, two stages; ldmatrix and mma.m16n8k16.
__global__ __launch_bounds__(256) void by_mma(const __half *a, const __half *b, float *c, int n) {
    __shared__ alignas(128) __half left[2][128][40], right[2][128][40];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, wr = warp / 2 * 32, wc = warp % 2 * 64;
    const __half *from_a = a + (size_t)blockIdx.y * 128 * n, *from_b = b + (size_t)blockIdx.x * 128 * n;
    float sum[2][8][4] = {};
    auto fetch = [&](int stage, int k) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            int row = i / 4, at = i % 4 * 8;
            unsigned l = __cvta_generic_to_shared(&left[stage][row][at]), r = __cvta_generic_to_shared(&right[stage][row][at]);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(l), "l"(from_a + (size_t)row * n + k + at));
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(r), "l"(from_b + (size_t)row * n + k + at));
        }
    };
    fetch(0, 0);
    asm volatile("cp.async.commit_group;");
    for (int k = 0; k < n; k += 32) {
        asm volatile("cp.async.wait_group 0;");
        __syncthreads();
        int stage = k / 32 % 2;
        if (k + 32 < n) fetch(stage ^ 1, k + 32);
        asm volatile("cp.async.commit_group;");
#pragma unroll
        for (int kk = 0; kk < 32; kk += 16) {
            unsigned l[2][4], r[8][2];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                unsigned at = __cvta_generic_to_shared(&left[stage][wr + i * 16 + lane % 16][kk + lane / 16 * 8]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(l[i][0]), "=r"(l[i][1]), "=r"(l[i][2]), "=r"(l[i][3]) : "r"(at));
            }
#pragma unroll
            for (int j = 0; j < 8; j++) {
                unsigned at = __cvta_generic_to_shared(&right[stage][wc + j * 8 + lane % 8][kk + lane / 8 % 2 * 8]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(r[j][0]), "=r"(r[j][1]) : "r"(at));
            }
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3]) : "r"(l[i][0]), "r"(l[i][1]), "r"(l[i][2]), "r"(l[i][3]), "r"(r[j][0]), "r"(r[j][1]));
        }
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 8; j++)
            for (int q = 0; q < 4; q++) c[(size_t)(blockIdx.y * 128 + wr + i * 16 + lane / 4 + q / 2 * 8) * n + blockIdx.x * 128 + wc + j * 8 + lane % 4 * 2 + q % 2] = sum[i][j][q];
}

int main(int argc, char **argv) {
    int n = 256;
    Array<__half> a(n * n), b(n * n);
    Array<signed char> ai(n * n), bi(n * n);
    Array<float> c(n * n), d(n * n);
    Array<int> e(n * n);
    for (int k = 0; k < n * n; k++) ai[k] = next_random(), bi[k] = next_random();
    for (int k = 0; k < n * n; k++) a[k] = __float2half((int)(next_random() % 17) * 0.25f - 2), b[k] = __float2half((int)(next_random() % 17) * 0.25f - 2);
    a.put(), b.put(), ai.put(), bi.put();
    by_wmma<__half, float><<<dim3(4, 16), 128>>>(a.device, b.device, c.device, n);
    by_wmma<signed char, int><<<dim3(4, 16), 128>>>(ai.device, bi.device, e.device, n);
    by_mma<<<dim3(2, 2), 256>>>(a.device, b.device, d.device, n);
    c.get(), d.get(), e.get(), c.hash(), d.hash(), e.hash();
    // These numbers are exact.
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float sum = 0;
            int whole = 0;
            for (int k = 0; k < n; k++) sum += __half2float(a[y * n + k]) * __half2float(b[x * n + k]), whole += ai[y * n + k] * bi[x * n + k];
            equal("wmma", y * n + x, c[y * n + x], sum), equal("mma", y * n + x, d[y * n + x], sum), equal("wmma i8", y * n + x, e[y * n + x], whole);
        }
    if (timing(argc, argv)) {
        int m = 4096;
        Array<__half> x(m * m), y(m * m);
        Array<float> z(m * m);
        for (int k = 0; k < m * m; k++) x[k] = __float2half(next_float()), y[k] = __float2half(next_float());
        x.put(), y.put();
        measure("wmma", [&] { by_wmma<__half, float><<<dim3(m / 64, m / 16), 128>>>(x.device, y.device, z.device, m); });
        measure("mma", [&] { by_mma<<<dim3(m / 128, m / 128), 256>>>(x.device, y.device, z.device, m); });
    }
    return finish();
}
