// Atomic operations of all types and scopes, locks, an order of memory between blocks.
#include "check.h"
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void many(int *i, unsigned *u, unsigned long long *l, float *f, double *d, __half2 *h, __nv_bfloat162 *b, unsigned short *s) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, k = t % 4;
    atomicAdd(i + k, t), atomicSub(i + 4 + k, t), atomicMin(i + 8 + k, -t), atomicMax(i + 12 + k, t);
    atomicAnd(u + k, ~(1u << t % 31)), atomicOr(u + 4 + k, 1u << t % 31), atomicXor(u + 8 + k, t * 2654435761u), atomicInc(u + 12 + k, 99), atomicDec(u + 16 + k, 77);
    atomicAdd(l + k, (unsigned long long)t << 20), atomicMax(l + 4 + k, (unsigned long long)t << 33), atomicXor(l + 8 + k, t * 0x9e3779b97f4a7c15ull);
    atomicMin((long long *)l + 12 + k, -(long long)t);
    atomicAdd(f + k, 0.5f), atomicAdd(d + k, 0.25);
    atomicAdd(h + k, __floats2half2_rn(0.5f, 1)), atomicAdd(b + k, __floats2bfloat162_rn(1, 0.5f));
    atomicAdd_block(i + 16 + k, 1), atomicAdd_system(i + 20 + k, 1);
    for (unsigned short old = s[k];;) {
        unsigned short seen = atomicCAS(s + k, old, (unsigned short)(old + 3));
        if (seen == old) break;
        old = seen;
    }
    for (unsigned long long old = l[16]; ;) {
        unsigned long long seen = atomicCAS(l + 16, old, old * 3 + 1 > 1ull << 60 ? 1 : old + 2);
        if (seen == old) break;
        old = seen;
    }
}

__global__ void locked(int *lock, int *count, int rounds) {
    for (int r = 0; r < rounds; r++) {
        bool done = false;
        while (!done) {
            if (atomicCAS(lock, 0, 1) == 0) {
                __threadfence();
                *(volatile int *)count = *(volatile int *)count + 1;
                __threadfence();
                atomicExch(lock, 0);
                done = true;
            }
        }
    }
}

// A message from one block to the next.
__global__ void chain(int *data, int *flag) {
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(flag[blockIdx.x]), next(flag[blockIdx.x + 1]);
    if (threadIdx.x == 0) {
        while (mine.load(cuda::memory_order_acquire) == 0) __nanosleep(20);
        data[blockIdx.x + 1] = data[blockIdx.x] + 1;
        next.store(1, cuda::memory_order_release);
    }
}

// The last block adds what all have written.
__global__ void last(const int *x, int *part, unsigned *done, int *out, int n) {
    __shared__ int sum, final;
    if (!threadIdx.x) sum = 0;
    __syncthreads();
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) atomicAdd(&sum, x[k]);
    __syncthreads();
    if (!threadIdx.x) {
        part[blockIdx.x] = sum;
        __threadfence();
        final = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (final && !threadIdx.x) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) total += ((volatile int *)part)[b];
        *out = total;
    }
}

__global__ void histogram(const unsigned char *x, unsigned *out, int n) {
    __shared__ unsigned count[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x) count[k] = 0;
    __syncthreads();
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) atomicAdd(&count[x[k]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(out + k, count[k]);
}

int main(int argc, char **argv) {
    int n = 1024;
    Array<int> i(24);
    Array<unsigned> u(20), done(1), bins(256);
    Array<unsigned long long> l(17);
    Array<float> f(4);
    Array<double> d(4);
    Array<__half2> h(4);
    Array<__nv_bfloat162> b(4);
    Array<unsigned short> s(4);
    for (int k = 0; k < 4; k++) u[k] = ~0u;
    u.put();
    many<<<8, 128>>>(i.device, u.device, l.device, f.device, d.device, h.device, b.device, s.device);
    i.get(), u.get(), l.get(), f.get(), d.get(), h.get(), b.get(), s.get();
    i.hash(), u.hash(), l.hash(), f.hash(), d.hash(), h.hash(), b.hash(), s.hash();
    for (int k = 0; k < 4; k++) {
        long long sum = 0;
        unsigned x = 0, dec = 0, inc = 0;
        unsigned long long y = 0;
        for (int t = k; t < n; t += 4) sum += t, x ^= t * 2654435761u, y ^= t * 0x9e3779b97f4a7c15ull, inc = inc >= 99 ? 0 : inc + 1, dec = dec == 0 || dec > 77 ? 77 : dec - 1;
        int last = n - 4 + k;
        equal("add", k, i[k], sum), equal("sub", k, i[4 + k], -sum), equal("min", k, i[8 + k], -last), equal("max", k, i[12 + k], last);
        equal("and", k, u[k], 1u << 31), equal("or", k, u[4 + k], 0x7fffffff), equal("xor", k, u[8 + k], x), equal("inc", k, u[12 + k], inc), equal("dec", k, u[16 + k], dec);
        equal("add64", k, l[k], (double)(sum << 20)), equal("max64", k, l[4 + k], (double)((long long)last << 33)), expect(l[8 + k] == y, "xor64", k, l[8 + k], y);
        equal("min64", k, (long long)l[12 + k], -last), equal("float", k, f[k], n / 8), equal("double", k, d[k], n / 16);
        equal("half", k, __low2float(h[k]), n / 8), equal("half", k, __high2float(h[k]), n / 4);
        equal("bf16", k, __low2float(b[k]), 256), equal("bf16", k, __high2float(b[k]), 128);
        equal("block", k, i[16 + k], n / 4), equal("system", k, i[20 + k], n / 4), equal("cas16", k, s[k], n / 4 * 3);
    }
    equal("cas64", 0, l[16], 2 * n);
    Array<int> lock(2), data(65), flag(66), x(5000), part(40), out(1);
    locked<<<20, 64>>>(lock.device, lock.device + 1, 5);
    lock.get();
    equal("lock", 0, lock[1], 20 * 64 * 5);
    flag[0] = 1, flag.put();
    chain<<<64, 32>>>(data.device, flag.device);
    data.get();
    equal("chain", 0, data[64], 64);
    int total = 0;
    for (auto &v : x.host) total += v = next_random() % 100;
    x.put();
    last<<<40, 128>>>(x.device, part.device, done.device, out.device, 5000);
    out.get();
    equal("last", 0, out[0], total);
    int size = timing(argc, argv) ? 1 << 26 : 100000;
    Array<unsigned char> bytes(size);
    std::vector<unsigned> want(256);
    for (int k = 0; k < size; k++) bytes[k] = k < 100000 ? next_random() : k * 7, want[bytes[k]]++;
    bytes.put();
    histogram<<<528, 256>>>(bytes.device, bins.device, size);
    bins.get();
    for (int k = 0; k < 256; k++) equal("histogram", k, bins[k], want[k]);
    if (timing(argc, argv)) {
        measure("histogram", [&] { histogram<<<1056, 256>>>(bytes.device, bins.device, size); });
        measure("lock", [&] { locked<<<20, 64>>>(lock.device, lock.device + 1, 5); });
    }
    return finish();
}
