// Kinds of memory: constant, textures, surfaces, dynamic shared memory, local arrays, generic pointers, asynchronous copies.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__constant__ float factors[64];
__constant__ int4 quads[8];
__device__ int counter = 5;
__device__ float module_table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

__global__ void constants(const int *at, float *out) {
    int t = threadIdx.x;
    int4 q = quads[at[t] % 8];
    out[t] = factors[at[t]] * 2 + factors[3] + q.x + q.w + module_table[t % 16] + counter;
}

__global__ void textures(cudaTextureObject_t linear, cudaTextureObject_t plane, cudaTextureObject_t layers, cudaTextureObject_t cube, float *out) {
    int t = threadIdx.x;
    float x = t * 0.37f, y = t * 0.21f;
    out[t] = tex1Dfetch<float>(linear, t * 3 % 64);
    out[128 + t] = tex2D<float>(plane, x, y);
    float4 v = tex2DLayered<float4>(layers, t % 8 + 0.5f, t / 16 + 0.5f, t % 3);
    out[256 + t] = v.x + v.y * 10 + v.z * 100 + v.w * 1000;
    out[384 + t] = tex3D<float>(cube, t % 4 + 0.25f, t / 4 % 4 + 0.5f, t / 16 % 4 + 0.75f);
}

__global__ void surfaces(cudaSurfaceObject_t s, int *out) {
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    int v;
    surf2Dread(&v, s, x * 4, y);
    out[threadIdx.x] = v;
    surf2Dwrite(v * 3, s, x * 4, y);
}

extern __shared__ int dynamic[];
__global__ void large_shared(int *out, int n) {
    for (int k = threadIdx.x; k < n; k += blockDim.x) dynamic[k] = k * 7;
    __syncthreads();
    int sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x) sum += dynamic[n - 1 - k] ^ k;
    out[threadIdx.x] = sum;
}

__global__ void local(const int *x, int *out) {
    int mine[64];
    for (int k = 0; k < 64; k++) mine[k] = k * threadIdx.x;
    for (int k = 0; k < 64; k++) mine[x[k] & 63] += mine[x[(k + 1) % 64] & 63] ^ k;
    int sum = 0;
    for (int k = 0; k < 64; k++) sum = sum * 31 + mine[k];
    out[threadIdx.x] = sum;
}

__device__ __noinline__ int through(int *p, int k) { return p[k] += 3; }
__global__ void generic(int *global, int *out) {
    __shared__ int shared[32];
    int own[4] = {1, 2, 3, (int)threadIdx.x}, t = threadIdx.x;
    shared[t] = t * 2;
    __syncwarp();
    int *p = t % 3 == 0 ? global + t : t % 3 == 1 ? shared + t : own + t % 4;
    out[t] = through(p, 0) * 8 + __isGlobal(p) + 2 * __isShared(p) + 4 * __isLocal(p);
}

struct alignas(16) Wide {
    short a;
    char b[3];
    int c;
    double d;
};
__global__ void kinds(const Wide *x, Wide *out, const uchar4 *bytes, const double2 *pairs, ushort2 *halves, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    Wide w = x[t];
    uchar4 b = __ldg(bytes + t);
    double2 p = __ldcs(pairs + t);
    w.a += b.x, w.b[1] = b.y - b.z, w.c *= b.w, w.d = p.x - p.y;
    out[t] = w;
    __stcg(halves + t, make_ushort2(w.a, w.c));
}

// Copies in two stages while the last part is added.
__global__ void staged(const float *x, float *out, int n) {
    __shared__ alignas(16) float part[2][256];
    auto block = cg::this_thread_block();
    float sum = 0;
    int parts = n / 256;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(part[0] + threadIdx.x * 4, x + threadIdx.x * 4, cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
    for (int k = 0; k < parts; k++) {
        if (k + 1 < parts) {
            pipe.producer_acquire();
            cuda::memcpy_async(part[(k + 1) & 1] + threadIdx.x * 4, x + (k + 1) * 256 + threadIdx.x * 4, cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        block.sync();
        for (int i = 0; i < 4; i++) sum += part[k & 1][i * 64 + threadIdx.x];
        block.sync();
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// A bulk copy that a barrier in shared memory waits for.
__global__ void bulk(const float *x, float *out) {
    __shared__ alignas(128) float part[1024];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    auto block = cg::this_thread_block();
    cuda::memcpy_async(block, part, x + blockIdx.x * 1024, cuda::aligned_size_t<16>(4096), barrier);
    barrier.arrive_and_wait();
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += part[threadIdx.x + 128 * k] * (k + 1);
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void copy(const float4 *x, float4 *y, long n) {
    for (long k = blockIdx.x * (long)blockDim.x + threadIdx.x; k < n; k += gridDim.x * (long)blockDim.x) y[k] = x[k];
}

template <class T> cudaTextureObject_t texture(cudaArray_t array, cudaTextureFilterMode filter, cudaTextureAddressMode mode) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray, r.res.array.array = array;
    cudaTextureDesc d = {};
    d.filterMode = filter, d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
    cudaTextureObject_t t;
    CUDA(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

int main(int argc, char **argv) {
    Array<int> at(128), out(256);
    Array<float> f(512);
    for (auto &v : at.host) v = next_random() % 64;
    at.put();
    float c[64];
    int4 q[8];
    for (int k = 0; k < 64; k++) c[k] = k * 0.5f;
    for (int k = 0; k < 8; k++) q[k] = make_int4(k, 1, 2, k * k);
    CUDA(cudaMemcpyToSymbol(factors, c, sizeof c));
    CUDA(cudaMemcpyToSymbol(quads, q, sizeof q));
    constants<<<1, 128>>>(at.device, f.device);
    f.get(), bits(f.host.data(), 512);
    for (int t = 0; t < 128; t++) equal("constants", t, f[t], c[at[t]] * 2 + c[3] + at[t] % 8 + at[t] % 8 * (at[t] % 8) + t % 16 + 1 + 5);

    Array<float> line(64);
    for (auto &v : line.host) v = next_float();
    line.put();
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear, r.res.linear.devPtr = line.device, r.res.linear.desc = cudaCreateChannelDesc<float>(), r.res.linear.sizeInBytes = 256;
    cudaTextureDesc d = {};
    cudaTextureObject_t linear;
    CUDA(cudaCreateTextureObject(&linear, &r, &d, nullptr));
    cudaArray_t plane, layers, cube, surface;
    auto one = cudaCreateChannelDesc<float>(), four = cudaCreateChannelDesc<float4>(), whole = cudaCreateChannelDesc<int>();
    std::vector<float> pixels(32 * 16), stack(8 * 8 * 3 * 4), box(64);
    for (auto &v : pixels) v = next_float();
    for (size_t k = 0; k < stack.size(); k++) stack[k] = k % 50;
    for (auto &v : box) v = next_float();
    CUDA(cudaMallocArray(&plane, &one, 32, 16));
    CUDA(cudaMemcpy2DToArray(plane, 0, 0, pixels.data(), 128, 128, 16, cudaMemcpyHostToDevice));
    auto fill = [](cudaArray_t *array, cudaChannelFormatDesc *desc, cudaExtent size, const void *data, size_t element, unsigned flags) {
        CUDA(cudaMalloc3DArray(array, desc, size, flags));
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr((void *)data, size.width * element, size.width, size.height), p.dstArray = *array, p.extent = size, p.kind = cudaMemcpyHostToDevice;
        CUDA(cudaMemcpy3D(&p));
    };
    fill(&layers, &four, make_cudaExtent(8, 8, 3), stack.data(), 16, cudaArrayLayered);
    fill(&cube, &one, make_cudaExtent(4, 4, 4), box.data(), 4, 0);
    auto smooth = texture<float>(plane, cudaFilterModeLinear, cudaAddressModeClamp), exact = texture<float4>(layers, cudaFilterModePoint, cudaAddressModeClamp), cubic = texture<float>(cube, cudaFilterModeLinear, cudaAddressModeClamp);
    textures<<<1, 128>>>(linear, smooth, exact, cubic, f.device);
    f.get(), f.hash();
    for (int t = 0; t < 128; t++) {
        equal("linear", t, f[t], line[t * 3 % 64]);
        float x = t * 0.37f - 0.5f, y = t * 0.21f - 0.5f;
        int x0 = floorf(x), y0 = floorf(y);
        auto pixel = [&](int x, int y) { return pixels[std::clamp(y, 0, 15) * 32 + std::clamp(x, 0, 31)]; };
        float a = x - x0, b = y - y0;
        near("filtered", t, f[128 + t], (1 - b) * ((1 - a) * pixel(x0, y0) + a * pixel(x0 + 1, y0)) + b * ((1 - a) * pixel(x0, y0 + 1) + a * pixel(x0 + 1, y0 + 1)), 1e-2);
        float *v = &stack[((t % 3 * 8 + t / 16) * 8 + t % 8) * 4];
        equal("layers", t, f[256 + t], v[0] + v[1] * 10 + v[2] * 100 + v[3] * 1000);
    }
    CUDA(cudaMallocArray(&surface, &whole, 16, 16, cudaArraySurfaceLoadStore));
    std::vector<int> ints(256), back(256);
    for (auto &v : ints) v = next_random() % 1000;
    CUDA(cudaMemcpy2DToArray(surface, 0, 0, ints.data(), 64, 64, 16, cudaMemcpyHostToDevice));
    cudaResourceDesc sr = {};
    sr.resType = cudaResourceTypeArray, sr.res.array.array = surface;
    cudaSurfaceObject_t so;
    CUDA(cudaCreateSurfaceObject(&so, &sr));
    surfaces<<<1, 256>>>(so, out.device);
    out.get(), out.hash();
    CUDA(cudaMemcpy2DFromArray(back.data(), 64, surface, 0, 0, 64, 16, cudaMemcpyDeviceToHost));
    for (int t = 0; t < 256; t++) equal("surface", t, out[t], ints[t]), equal("surface", t, back[t], ints[t] * 3);

    int n = 50000;
    CUDA(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, n * 4));
    large_shared<<<1, 256, n * 4>>>(out.device, n);
    out.get(), out.hash();
    for (int t = 0; t < 256; t++) {
        int sum = 0;
        for (int k = t; k < n; k += 256) sum += (n - 1 - k) * 7 ^ k;
        equal("shared", t, out[t], sum);
    }
    local<<<1, 128>>>(at.device, out.device);
    out.get(), bits(out.host.data(), 512);
    for (int t = 0; t < 128; t++) {
        unsigned mine[64], sum = 0;
        for (int k = 0; k < 64; k++) mine[k] = k * t;
        for (int k = 0; k < 64; k++) mine[at[k] & 63] += mine[at[(k + 1) % 64] & 63] ^ k;
        for (int k = 0; k < 64; k++) sum = sum * 31 + mine[k];
        equal("local", t, out[t], (int)sum);
    }
    generic<<<1, 32>>>(at.device, out.device);
    out.get(), bits(out.host.data(), 128);
    for (int t = 0; t < 32; t++) {
        int own[4] = {1, 2, 3, t};
        equal("generic", t, out[t], t % 3 == 0 ? (at[t] + 3) * 8 + 1 : t % 3 == 1 ? (t * 2 + 3) * 8 + 2 : (own[t % 4] + 3) * 8 + 4);
    }
    int m = 1000;
    Array<Wide> w(m), w2(m);
    Array<uchar4> bytes(m);
    Array<double2> pairs(m);
    Array<ushort2> halves(m);
    for (int k = 0; k < m; k++) {
        memset((void *)&w[k], 0, sizeof(Wide));
        memset((void *)&w2[k], 0, sizeof(Wide));
        w[k].a = next_random(), w[k].b[1] = 3, w[k].c = next_random() % 1000, w[k].d = 1;
        bytes[k] = make_uchar4(next_random(), next_random(), next_random(), next_random()), pairs[k] = make_double2(next_float(), next_float());
    }
    w.put(), w2.put(), bytes.put(), pairs.put();
    kinds<<<8, 128>>>(w.device, w2.device, bytes.device, pairs.device, halves.device, m);
    w2.get(), halves.get(), halves.hash();
    for (int k = 0; k < m; k++) {
        short a = w[k].a + bytes[k].x;
        int x = w[k].c * bytes[k].w;
        equal("kinds", k, w2[k].a, a), equal("kinds", k, w2[k].b[1], (char)(bytes[k].y - bytes[k].z)), equal("kinds", k, w2[k].c, x), equal("kinds", k, w2[k].d, pairs[k].x - pairs[k].y);
        equal("halves", k, halves[k].y, (unsigned short)x);
    }
    Array<float> long_(8192), sums(64), bulks(1024);
    for (auto &v : long_.host) v = (int)(next_random() % 100);
    long_.put();
    staged<<<1, 64>>>(long_.device, sums.device, 8192);
    bulk<<<8, 128>>>(long_.device, bulks.device);
    sums.get(), bulks.get(), sums.hash(), bulks.hash();
    for (int t = 0; t < 64; t++) {
        float want = 0;
        for (int k = t; k < 8192; k += 64) want += long_[k];
        equal("staged", t, sums[t], want);
    }
    for (int t = 0; t < 1024; t++) {
        float want = 0;
        for (int k = 0; k < 8; k++) want += long_[t / 128 * 1024 + t % 128 + 128 * k] * (k + 1);
        equal("bulk", t, bulks[t], want);
    }
    if (timing(argc, argv)) {
        long big = 1l << 24;
        Array<float4> x(big), y(big);
        measure("copy", [&] { copy<<<2112, 256>>>(x.device, y.device, big); });
        Array<int> lo(256);
        measure("local", [&] { local<<<1, 128>>>(at.device, lo.device); });
    }
    return finish();
}
